"""Sealing of 05: SEAL-001, SEAL-002, SEAL-005 to SEAL-010, the keys of a channel, SEAL-040, SEAL-041;
the rooms of 13, RELAY-001, RELAY-002."""

import frames
import secretbox
from errors import Reject
from leaves import keyed
from primitives import u8

VERSION = 1
HEADER, TAG = 33, 16
MIN_PLAINTEXT, MAX_PLAINTEXT = 256, 1_048_576


def key_id(seal_key, fleet):
    """SEAL-001."""
    return keyed(seal_key, b"cenotaph/1 key id" + fleet)[:8]


def box_key(seal_key, fleet, version=VERSION):
    """SEAL-002."""
    return keyed(seal_key, b"cenotaph/1 box" + u8(version) + key_id(seal_key, fleet))


def channel_key_id(channel_key, sender, receiver):
    """SEAL-040: of one direction; SEAL-042: between two fleets."""
    if sender == receiver:
        raise Reject("duplicate", "SEAL-042")
    return keyed(channel_key, b"cenotaph/1 channel key id" + sender + receiver)[:8]


def channel_box_key(channel_key, sender, receiver, version=VERSION):
    """SEAL-041."""
    return keyed(channel_key, b"cenotaph/1 channel box" + u8(version) + channel_key_id(channel_key, sender, receiver))


def relay_room(digest_key, fleet):
    """RELAY-001."""
    return keyed(digest_key, b"cenotaph/1 relay" + fleet)[:16]


def relay_channel(channel_key, own, contact):
    """RELAY-002: the same for both fleets."""
    return keyed(channel_key, b"cenotaph/1 relay channel" + b"".join(sorted((own, contact))))[:16]


def padme(n):
    """SEAL-008, for n >= 2."""
    e = n.bit_length() - 1
    low = e - e.bit_length()          # e - s, where s = floor(log2 e) + 1
    mask = (1 << low) - 1
    return n + mask & ~mask


def padded_size(length):
    """SEAL-008: P for a frame of `length` bytes."""
    return padme(max(MIN_PLAINTEXT, length + 1))


def pad(frame):
    """SEAL-007, SEAL-010."""
    if len(frame) > MAX_PLAINTEXT - 1:
        raise Reject("too-large", "SEAL-010")
    return (frame + b"\x80").ljust(padded_size(len(frame)), b"\0")


def unpad(plaintext):
    """SEAL-009."""
    body = plaintext.rstrip(b"\0")
    if body[-1:] != b"\x80" or len(plaintext) != padded_size(len(body) - 1):
        raise Reject("seal-format", "SEAL-009")
    return body[:-1]


def seal_plaintext(seal_key, fleet, nonce, plaintext):
    """The envelope around a plaintext that is padded already."""
    return u8(VERSION) + key_id(seal_key, fleet) + nonce + secretbox.seal(box_key(seal_key, fleet), nonce, plaintext)


def seal(seal_key, fleet, nonce, frame):
    return seal_plaintext(seal_key, fleet, nonce, pad(frame))


def open_plaintext(seal_key, fleet, sealed):
    """SEAL-005 up to the box: the padded plaintext."""
    if len(sealed) < 1:
        raise Reject("truncated", "SEAL-005")
    if sealed[0] != VERSION:
        raise Reject("version", "SEAL-005")
    if len(sealed) < HEADER + TAG + MIN_PLAINTEXT:
        raise Reject("truncated", "SEAL-005")
    if len(sealed) > HEADER + TAG + MAX_PLAINTEXT:
        raise Reject("too-large", "SEAL-005")
    if sealed[1:9] != key_id(seal_key, fleet):
        raise Reject("auth", "SEAL-005")
    plaintext = secretbox.open(box_key(seal_key, fleet), sealed[9:HEADER], sealed[HEADER:])
    if plaintext is None:
        raise Reject("auth", "SEAL-006")
    return plaintext


def open(seal_key, fleet, sealed):
    """SEAL-005, whole: the frame's bytes, after the frame was found to be a frame."""
    frame = unpad(open_plaintext(seal_key, fleet, sealed))
    frames.decode(frame)
    return frame
