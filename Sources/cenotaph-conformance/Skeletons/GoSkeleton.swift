extension Skeleton {
    /// An adapter in Go.
    static let go = Skeleton(
        name: "go", build: "go build -o adapter .", command: "./adapter",
        files: [
            (
                "go.mod",
                ##"""
                module adapter

                go 1.19

                """##
            ),
            (
                "adapter.go",
                ##"""
                // An adapter for Cenotaph's conformance checker: requests in, answers out, one JSON object a line.
                package main

                import (
                	"bufio"
                	"encoding/hex"
                	"encoding/json"
                	"errors"
                	"io"
                	"os"
                	"strconv"
                	"strings"
                )

                // A reject says that the input is no value; it is a class of Spec/09-errors.md.
                type reject string

                func (r reject) Error() string { return string(r) }

                type fields map[string]string

                func (f fields) bytes(name string) ([]byte, error) {
                	if strings.ToLower(f[name]) != f[name] {
                		return nil, errors.New("not lower-case hexadecimal")
                	}
                	return hex.DecodeString(f[name])
                }

                // Spec/02-primitives.md: seven bits a byte, least significant first, at most 64 bits, no zero byte at the end.
                func uvarintDecode(in fields) (fields, error) {
                	data, err := in.bytes("bytes")
                	if err != nil {
                		return nil, err
                	}
                	var value uint64
                	for place, b := range data {
                		if place == 9 && b > 1 {
                			return nil, reject("range")
                		}
                		value |= uint64(b&0x7f) << (7 * place)
                		if b < 0x80 {
                			if b == 0 && place > 0 {
                				return nil, reject("noncanonical")
                			}
                			if place+1 < len(data) {
                				return nil, reject("trailing")
                			}
                			return fields{"value": strconv.FormatUint(value, 10)}, nil
                		}
                	}
                	return nil, reject("truncated")
                }

                var ops = map[string]func(fields) (fields, error){"uvarint.decode": uvarintDecode}

                func answer(request fields) map[string]any {
                	reply := map[string]any{"id": request["id"]}
                	if request["op"] == "hello" {
                		names := ""
                		for name := range ops {
                			names += name + " "
                		}
                		reply["ok"] = fields{"protocol": "1", "name": "skeleton", "version": "0.1", "language": "go", "ops": names, "features": ""}
                		return reply
                	}
                	operation, known := ops[request["op"]]
                	if !known {
                		reply["unsupported"] = "no operation " + request["op"]
                		return reply
                	}
                	out, err := operation(request)
                	var class reject
                	switch {
                	case err == nil:
                		reply["ok"] = out
                	case errors.As(err, &class):
                		reply["reject"] = string(class)
                	default:
                		reply["error"] = err.Error()
                	}
                	return reply
                }

                func main() {
                	input := bufio.NewReader(os.Stdin)
                	output := json.NewEncoder(os.Stdout)
                	for {
                		line, err := input.ReadBytes('\n')
                		if err == io.EOF {
                			return
                		}
                		var request fields
                		if err != nil || json.Unmarshal(line, &request) != nil {
                			os.Exit(1)
                		}
                		if output.Encode(answer(request)) != nil {
                			os.Exit(1)
                		}
                	}
                }

                """##
            ),
        ])
}
