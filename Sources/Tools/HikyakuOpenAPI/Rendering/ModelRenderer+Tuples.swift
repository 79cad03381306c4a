extension ModelRenderer {
    /// An array whose elements are properties.
    func renderTuple(_ type: TypePlan, _ tuple: TuplePlan, _ text: inout SourceText) {
        text.block("\(access)struct \(SwiftName.bare(type.name)): \(conformances(of: type))") { text in
            for element in tuple.elements { renderProperty(element, &text, "The element \(element.key).") }
            if let others = tuple.others {
                text.document(publicly("The further elements."))
                text.line("\(access)var \(SwiftName.bare(others.name)): [\(name(of: others.type))]")
            }
            renderInit(tuple, &text)
            text.gap()
            text.document(publicly("Reads the value."))
            text.block("\(access)init(from reader: inout JSONReader) throws") { text in
                text.line("try reader.beginTuple()")
                for element in tuple.elements { text.line("self.\(stored(element)) = try reader.element()") }
                if let others = tuple.others {
                    text.line("\(SwiftName.bare(others.name)) = try reader.otherElements()")
                }
                text.line("try reader.endTuple()")
            }
            text.gap()
            text.document(publicly("Writes the value."))
            text.block("\(access)func write(to writer: inout JSONWriter) throws") { text in
                var arguments = tuple.elements.map { "self.\(stored($0))" as Code }
                if let others = tuple.others { arguments.append("others: \(SwiftName.bare(others.name))") }
                text.call("try writer.writeTuple", arguments + ["countMin: \(tuple.countMin)"], "")
            }
        }
    }

    private func renderInit(_ tuple: TuplePlan, _ text: inout SourceText) {
        var arguments = tuple.elements.map { element -> Code in
            let value: Code = element.type.isOptional ? " = nil" : ""
            return "\(SwiftName.quoted(element.name)): \(name(of: element.type))\(value)"
        }
        if let others = tuple.others {
            arguments.append("\(SwiftName.bare(others.name)): [\(name(of: others.type))] = []")
        }
        text.gap()
        text.document(publicly("Creates a value."))
        text.call("\(access)init", arguments, " {")
        text.indented { text in
            for element in tuple.elements {
                text.line("self.\(stored(element)) = \(boxed(element))")
            }
            if let others = tuple.others {
                text.line("self.\(SwiftName.bare(others.name)) = \(SwiftName.bare(others.name))")
            }
        }
        text.line("}")
    }
}
