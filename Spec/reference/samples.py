"""The replicas, names and keys that the vectors speak of. Nothing here has a meaning beyond being fixed."""

from hashlib import blake2b

H = bytes.fromhex
A, B, C, D = (bytes(range(n, n + 16)) for n in (0xA0, 0xB0, 0xC0, 0xD0))
HIGH = b"\xff" * 16
NOBODY = bytes(16)
EPOCH0 = bytes(16)
EPOCH1 = bytes(range(0xE0, 0xF0))
FLEET = H("00112233445566778899aabbccddeeff")
OTHER_FLEET = H("ffeeddccbbaa99887766554433221100")
DIGEST_KEY = bytes(range(0x00, 0x20))
SEAL_KEY = bytes(range(0x20, 0x40))
OTHER_SEAL_KEY = bytes(range(0x40, 0x60))
T0 = 1_764_547_200_000 << 16          # a time in milliseconds, counter 0


def at(milliseconds, counter=0):
    """A time some milliseconds after T0."""
    return T0 + (milliseconds << 16) + counter


def noise(label, size):
    """Bytes that look random and are the same on every run."""
    out, n = b"", 0
    while len(out) < size:
        out += blake2b(f"{label} {n}".encode(), digest_size=64).digest()
        n += 1
    return out[:size]
