import Glibc

/// Lines over two logarithmic axes, as a picture that a browser shows.
struct Plot {
    /// A line and its name.
    struct Line {
        let name: String
        let points: [(x: Double, y: Double)]
    }

    let title: String
    let x: String
    let y: String
    let lines: [Line]

    private static let (width, height, margin) = (460.0, 340.0, 60.0)
    private static let colours = ["#1b6ca8", "#c8553d", "#3c8d53", "#7b4fa3", "#8a6d1f", "#444"]

    /// Writes plots beside each other to a file.
    static func write(_ plots: [Plot], to path: String) -> Bool {
        let body = plots.enumerated().map { index, plot in
            "<g transform=\"translate(\(Double(index) * width),0)\">\n\(plot.drawing)</g>\n"
        }.joined()
        let text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width * Double(plots.count))\" "
            + "height=\"\(height)\" font-family=\"sans-serif\" font-size=\"11\">\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\(body)</svg>\n"
        guard let file = unsafe fopen(path, "w") else { return false }
        let isWritten = unsafe fputs(text, file) >= 0
        return unsafe fclose(file) == 0 && isWritten
    }

    private var drawing: String {
        let points = lines.flatMap(\.points)
        let xs = Axis(points.map(\.x), from: Plot.margin, to: Plot.width - 90)
        let ys = Axis(points.map(\.y), from: Plot.height - 40, to: 35)
        var text = label(title, Plot.margin, 18) + label(x, Plot.width / 2 - 60, Plot.height - 8)
        text += label(y, 8, 30)
        for power in xs.powers {
            let at = xs.place(of: power)
            text += rule(at, ys.start, at, ys.end) + label(name(power), at - 8, ys.start + 14)
        }
        for power in ys.powers {
            let at = ys.place(of: power)
            text += rule(xs.start, at, xs.end, at) + label(name(power), 8, at + 4)
        }
        for (index, line) in lines.enumerated() {
            let colour = Plot.colours[index % Plot.colours.count]
            let path = line.points.map { "\(xs.place(of: $0.x)),\(ys.place(of: $0.y))" }
            text +=
                "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" "
                + "points=\"\(path.joined(separator: " "))\"/>\n"
            if let last = line.points.last {
                let at = ys.place(of: last.y) + Double(index) * 11 - 10
                text += label(line.name, xs.end + 6, at, colour)
            }
        }
        return text
    }

    private func label(
        _ text: String, _ x: Double, _ y: Double, _ colour: String = "#222"
    ) -> String { "<text x=\"\(x)\" y=\"\(y)\" fill=\"\(colour)\">\(text)</text>\n" }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" stroke=\"#ddd\"/>\n"
    }

    private func name(_ power: Double) -> String { "\(Int(power))" }

    /// A logarithmic axis over whole powers of ten.
    private struct Axis {
        let start: Double
        let end: Double
        private let low: Double
        private let high: Double

        init(_ values: [Double], from start: Double, to end: Double) {
            self.start = start
            self.end = end
            low = log10(values.min() ?? 1).rounded(.down)
            high = max(low + 1, log10(values.max() ?? 1).rounded(.up))
        }

        func place(of value: Double) -> Double {
            let place = start + (end - start) * (log10(value) - low) / (high - low)
            return (place * 10).rounded() / 10
        }

        var powers: [Double] { (Int(low)...Int(high)).map { pow(10, Double($0)) } }
    }
}

/// Bytes of discovery against differences and against rows.
func discoveryPlots(_ results: [Measurement]) -> [Plot] {
    var points: [(d: Double, n: Double, bytes: Double)] = []
    for result in results where result.name.hasPrefix("discovery, d = ") {
        guard let d = Double(result.name.dropFirst("discovery, d = ".count)) else { continue }
        points.append((d, Double(result.n), result.ours))
    }
    func lines(
        _ name: String, by key: (line: PointValue, x: PointValue)
    ) -> [Plot.Line] {
        Set(points.map(key.line)).sorted().map { value in
            Plot.Line(
                name: "\(name) = \(Int(value))",
                points: points.filter { key.line($0) == value }.map { (key.x($0), $0.bytes) }
                    .sorted { $0.0 < $1.0 })
        }
    }
    return [
        Plot(
            title: "Bytes of discovery", x: "rows that differ", y: "bytes, both sides",
            lines: lines("n", by: ({ $0.n }, { $0.d }))),
        Plot(
            title: "Bytes of discovery", x: "rows held", y: "bytes, both sides",
            lines: lines("d", by: ({ $0.d }, { $0.n }))),
    ]
}

private typealias PointValue = ((d: Double, n: Double, bytes: Double)) -> Double
