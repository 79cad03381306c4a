import Foundation

/// A chart of lines as an SVG document that is readable on light and on dark pages.
struct LineChart {
    struct Line {
        let name: String
        /// One of the classes of ``style``.
        let color: Int
        var isDashed = false
        /// Whether it is drawn below the others, and seen beside them.
        var isWide = false
        /// Parts without gaps.
        let parts: [[(x: Double, y: Double)]]
    }

    struct Axis {
        let title: String
        let range: ClosedRange<Double>
        let ticks: [(value: Double, text: String)]
        var isLogarithmic = false

        /// The part of the axis at which a value is, from 0 to 1.
        func part(of value: Double) -> Double {
            let value = min(max(value, range.lowerBound), range.upperBound)
            guard isLogarithmic else { return (value - range.lowerBound) / (range.upperBound - range.lowerBound) }
            return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
        }
    }

    let title: String
    /// What is shown, for those who can't see it.
    let description: String
    let x: Axis
    let y: Axis
    /// A part of the horizontal axis that is shaded, with its name.
    var band: (range: ClosedRange<Double>, name: String)?
    let lines: [Line]

    private static let width = 720.0
    private static let left = 64.0
    private static let right = 704.0
    private static let top = 60.0
    private static let plotHeight = 264.0
    private static let legendColumns = 3
    private static let legendRowHeight = 20.0

    private static let style = """
        text{font:13px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#24292f}
        .t{font-size:16px;font-weight:600}.s{fill:#57606a}.p{fill:#fff}.b{fill:#f1b44c;fill-opacity:.22}
        .g{stroke:#d0d7de}.a{stroke:#57606a}polyline,.l{fill:none;stroke-width:1.8;stroke-linejoin:round}
        .c0{stroke:#6e7781}.c1{stroke:#cf222e}.c2{stroke:#bf6a02}.c3{stroke:#0969da}.c4{stroke:#8250df}.c5{stroke:#1a7f37}
        .d{stroke-dasharray:7 4}polyline.w,.l.w{stroke-width:5}
        @media (prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.p{fill:#161b22}.b{fill-opacity:.16}
        .g{stroke:#30363d}.a{stroke:#9198a1}.c0{stroke:#9198a1}.c1{stroke:#ff7b72}.c2{stroke:#f0a34a}.c3{stroke:#58a6ff}
        .c4{stroke:#bc8cff}.c5{stroke:#56d364}}
        """

    /// The document.
    var svg: String {
        let bottom = Self.top + Self.plotHeight
        let legendRows = (lines.count + Self.legendColumns - 1) / Self.legendColumns
        let height = bottom + 58 + Double(legendRows) * Self.legendRowHeight
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Self.text(Self.width)) \#(Self.text(height))" "#
                + #"width="\#(Self.text(Self.width))" height="\#(Self.text(height))" role="img">"#,
            "<title>\(Self.escaped(title))</title>",
            "<desc>\(Self.escaped(description))</desc>",
            "<style>\(Self.style)</style>",
            #"<rect class="p" width="100%" height="100%" rx="6"/>"#,
            Self.label(title, Self.left, 24, ["t"]),
            Self.label(y.title, Self.left, Self.top - 14, ["s"]),
            Self.label(x.title, (Self.left + Self.right) / 2, bottom + 40, ["s"], anchor: "middle"),
        ]
        if let band {
            let (start, end) = (horizontal(band.range.lowerBound), horizontal(band.range.upperBound))
            parts.append(
                #"<rect class="b" x="\#(Self.text(start))" y="\#(Self.text(Self.top))" "#
                    + #"width="\#(Self.text(end - start))" height="\#(Self.text(Self.plotHeight))"/>"#
            )
            parts.append(Self.label(band.name, (start + end) / 2, Self.top - 5, ["s"], anchor: "middle"))
        }
        parts += grid
        parts += (lines.filter(\.isWide) + lines.filter { !$0.isWide }).flatMap(drawn)
        for (index, line) in lines.enumerated() { parts += legend(of: line, index, below: bottom + 58) }
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    private var grid: [String] {
        let bottom = Self.top + Self.plotHeight
        var parts: [String] = []
        for (value, text) in y.ticks {
            let place = vertical(value)
            parts.append(Self.stroke("g", (Self.left, place), (Self.right, place)))
            parts.append(Self.label(text, Self.left - 8, place + 4, ["s"], anchor: "end"))
        }
        for (value, text) in x.ticks {
            let place = horizontal(value)
            parts.append(Self.stroke("a", (place, bottom), (place, bottom + 5)))
            parts.append(Self.label(text, place, bottom + 20, ["s"], anchor: "middle"))
        }
        return parts + [Self.stroke("a", (Self.left, bottom), (Self.right, bottom))]
    }

    private func drawn(_ line: Line) -> [String] {
        line.parts.map { part in
            let points = part.map { "\(Self.text(horizontal($0.x))),\(Self.text(vertical($0.y)))" }
            return #"<polyline class="\#(line.styles)" points="\#(points.joined(separator: " "))"/>"#
        }
    }

    private func legend(of line: Line, _ index: Int, below top: Double) -> [String] {
        let column = (Self.right - Self.left) / Double(Self.legendColumns)
        let start = Self.left + Double(index % Self.legendColumns) * column
        let middle = top + Double(index / Self.legendColumns) * Self.legendRowHeight
        return [
            Self.stroke("l \(line.styles)", (start, middle), (start + 28, middle)),
            Self.label(line.name, start + 36, middle + 4, []),
        ]
    }

    private func horizontal(_ value: Double) -> Double { Self.left + x.part(of: value) * (Self.right - Self.left) }

    private func vertical(_ value: Double) -> Double { Self.top + (1 - y.part(of: value)) * Self.plotHeight }

    private static func stroke(
        _ styles: String,
        _ start: (x: Double, y: Double),
        _ end: (x: Double, y: Double),
    ) -> String {
        let (from, to) = ((text(start.x), text(start.y)), (text(end.x), text(end.y)))
        return #"<line class="\#(styles)" x1="\#(from.0)" y1="\#(from.1)" x2="\#(to.0)" y2="\#(to.1)"/>"#
    }

    private static func label(
        _ words: String,
        _ x: Double,
        _ y: Double,
        _ styles: [String],
        anchor: String = "start",
    ) -> String {
        let styles = styles.isEmpty ? "" : #" class="\#(styles.joined(separator: " "))""#
        return #"<text\#(styles) x="\#(text(x))" y="\#(text(y))" text-anchor="\#(anchor)">\#(escaped(words))</text>"#
    }

    private static func text(_ number: Double) -> String {
        let text = String(format: "%.1f", number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}

extension LineChart.Line {
    fileprivate var styles: String { "c\(color)\(isDashed ? " d" : "")\(isWide ? " w" : "")" }
}
