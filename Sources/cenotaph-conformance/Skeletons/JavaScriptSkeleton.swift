extension Skeleton {
    /// An adapter in JavaScript.
    static let javascript = Skeleton(
        name: "javascript", build: "", command: "node adapter.mjs",
        files: [
            (
                "adapter.mjs",
                ##"""
                // An adapter for Cenotaph's conformance checker: requests in, answers out, one JSON object a line.
                import { createInterface } from "node:readline";

                /** The input is no value; `name` is a class of Spec/09-errors.md. */
                class Reject extends Error {
                  constructor(name) {
                    super(name);
                    this.name = name;
                  }
                }

                function bytes(text) {
                  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error("not lower-case hexadecimal");
                  return Buffer.from(text, "hex");
                }

                /** Spec/02-primitives.md: seven bits a byte, least significant first, at most 64 bits, no zero byte at the end. */
                function uvarintDecode(fields) {
                  const data = bytes(fields.bytes);
                  let value = 0n;
                  for (const [place, byte] of data.entries()) {
                    if (place === 9 && byte > 1) throw new Reject("range");
                    value |= BigInt(byte & 0x7f) << BigInt(7 * place);
                    if (byte < 0x80) {
                      if (byte === 0 && place > 0) throw new Reject("noncanonical");
                      if (place + 1 < data.length) throw new Reject("trailing");
                      return { value: value.toString() };
                    }
                  }
                  throw new Reject("truncated");
                }

                const ops = new Map([["uvarint.decode", uvarintDecode]]);
                const hello = {
                  protocol: "1", name: "skeleton", version: "0.1", language: "javascript", ops: [...ops.keys()].join(" "), features: "",
                };

                function answer(request) {
                  if (request.op === "hello") return { ok: hello };
                  const operation = ops.get(request.op);
                  if (!operation) return { unsupported: `no operation ${request.op}` };
                  try {
                    return { ok: operation(request) };
                  } catch (error) {
                    return error instanceof Reject ? { reject: error.name } : { error: String(error) };
                  }
                }

                for await (const line of createInterface({ input: process.stdin })) {
                  const request = JSON.parse(line);
                  process.stdout.write(JSON.stringify({ id: request.id, ...answer(request) }) + "\n");
                }

                """##
            )
        ])
}
