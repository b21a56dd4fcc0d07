"""crypto_secretbox (XSalsa20-Poly1305), after the published descriptions. Slow, and not constant in time."""

from struct import pack, unpack

_SIGMA = unpack("<4I", b"expand 32-byte k")
_MASK = 0xFFFFFFFF


def _rounds(x):
    def quarter(a, b, c, d):
        t = x[a] + x[d] & _MASK
        x[b] ^= (t << 7 | t >> 25) & _MASK
        t = x[b] + x[a] & _MASK
        x[c] ^= (t << 9 | t >> 23) & _MASK
        t = x[c] + x[b] & _MASK
        x[d] ^= (t << 13 | t >> 19) & _MASK
        t = x[d] + x[c] & _MASK
        x[a] ^= (t << 18 | t >> 14) & _MASK
    for _ in range(10):
        quarter(0, 4, 8, 12), quarter(5, 9, 13, 1), quarter(10, 14, 2, 6), quarter(15, 3, 7, 11)
        quarter(0, 1, 2, 3), quarter(5, 6, 7, 4), quarter(10, 11, 8, 9), quarter(15, 12, 13, 14)
    return x


def _state(key, block):
    k, n = unpack("<8I", key), unpack("<4I", block)
    return [_SIGMA[0], *k[:4], _SIGMA[1], *n, _SIGMA[2], *k[4:], _SIGMA[3]]


def hsalsa20(key, block):
    x = _rounds(_state(key, block))
    return pack("<8I", *(x[i] for i in (0, 5, 10, 15, 6, 7, 8, 9)))


def keystream(key, nonce, size):
    """XSalsa20: a subkey from the first 16 bytes of the nonce, Salsa20 with the other 8."""
    subkey, out = hsalsa20(key, nonce[:16]), bytearray()
    for i in range(0, (size + 63) // 64):
        state = _state(subkey, nonce[16:] + pack("<Q", i))
        out += pack("<16I", *(a + b & _MASK for a, b in zip(state, _rounds(list(state)))))
    return bytes(out[:size])


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    h = 0
    for i in range(0, len(message), 16):
        h = (h + int.from_bytes(message[i:i + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return (h + int.from_bytes(key[16:], "little") & 2**128 - 1).to_bytes(16, "little")


def _xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def seal(key, nonce, plaintext):
    """The tag, then the ciphertext."""
    stream = keystream(key, nonce, 32 + len(plaintext))
    ciphertext = _xor(plaintext, stream[32:])
    return poly1305(stream[:32], ciphertext) + ciphertext


def open(key, nonce, box):
    """The plaintext, or None if the tag does not fit (SEAL-006)."""
    tag, ciphertext = box[:16], box[16:]
    if poly1305(keystream(key, nonce, 32), ciphertext) != tag:
        return None
    return _xor(ciphertext, keystream(key, nonce, 32 + len(ciphertext))[32:])
