#include <iostream>

__global__ void k() {
    std::cout << "here";
}
