#include <cuda.h>

// cuTensorMapEncodeTiled answers CUDA_ERROR_INVALID_VALUE, and does not say which of its arguments is wrong.
CUresult encode(CUtensorMap *map, void *data) {
    const cuuint64_t dims[2] = {1024, 1024}, strides[1] = {2048};
    const cuuint32_t box[2] = {128, 64}, element_strides[2] = {1, 1};
    return cuTensorMapEncodeTiled(
        map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, dims, strides, box, element_strides,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}
