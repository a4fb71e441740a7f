struct Config {
    unsigned char mode;
    float scale;
};

__global__ void k(Config config, float *out) {
    *out = config.scale;
}
