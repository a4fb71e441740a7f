"""PyTorch's attention, for examples/limits: reads commands, one a line, and answers each with a line.

tensors DIM HEADS SHARED_HEADS CAUSAL LENGTH..   reads q, k, v of bf16 in the working directory; answers with the backends that
                                                 take them
time BACKEND COUNT                               answers with the milliseconds of one run, of so many in a row
store BACKEND                                    stores the result there as o
"""

import sys

import numpy
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

BACKENDS = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


class Attention:
    def __init__(self, dim, heads, shared, causal, *lengths):
        heads, shared, dim = int(heads), int(shared), int(dim)
        lengths = [int(length) for length in lengths]
        self.causal = causal == "1"
        self.shared = heads != shared

        def tensor(name, heads):
            bits = numpy.fromfile(name, dtype=numpy.int16)
            all = torch.from_numpy(bits).cuda().view(torch.bfloat16).view(-1, heads, dim)
            if len(set(lengths)) == 1:
                return all.view(len(lengths), lengths[0], heads, dim).transpose(1, 2)
            offsets = torch.tensor([0] + lengths).cumsum(0).cuda()
            nested = torch.nested.nested_tensor_from_jagged(all, offsets, min_seqlen=min(lengths), max_seqlen=max(lengths))
            return nested.transpose(1, 2)

        self.tensors = [tensor("q", heads), tensor("k", shared), tensor("v", shared)]

    @torch.no_grad()
    def run(self, backend):
        with sdpa_kernel(BACKENDS[backend]):
            return scaled_dot_product_attention(*self.tensors, is_causal=self.causal, enable_gqa=self.shared)

    def backends(self):
        for name in BACKENDS:
            try:
                self.run(name)
                torch.cuda.synchronize()
                yield name
            except Exception as why:
                print(f"{name}: {why}", file=sys.stderr)

    def time(self, backend, count):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.run(backend)
        start.record()
        for _ in range(int(count)):
            self.run(backend)
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / int(count)

    def store(self, backend):
        result = self.run(backend).transpose(1, 2)
        result = result.values() if result.is_nested else result
        result.contiguous().view(torch.int16).cpu().numpy().tofile("o")
        return "stored"


def main():
    print(f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}", flush=True)
    attention = None
    for line in sys.stdin:
        match line.split():
            case ["tensors", *rest]:
                attention = Attention(*rest)
                answer = " ".join(attention.backends())
            case ["time", backend, count]:
                answer = attention.time(backend, count)
            case ["store", backend]:
                answer = attention.store(backend)
            case other:
                raise ValueError(f"unknown command: {other}")
        print(answer, flush=True)


main()
