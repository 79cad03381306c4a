@testable import HikyakuOpenAPI

/// No text becomes source code but as a literal, a name of the namer or a comment.
func write(_ text: String, _ source: inout SourceText) {
    source.line("let a = \(Literal(text))")
    source.line("let \(SwiftName.quoted(text)) = 1")
    source.document(text)
    source.line(text)  // error: cannot convert value of type 'String' to expected argument type 'Code'
    source.line("let a = \(text)")  // error: no exact matches in call to instance method 'appendInterpolation'
    source.line("let a = \(text[...])")  // error: no exact matches in call to instance method 'appendInterpolation'
    source.block("enum \(text)") { _ in }  // error: no exact matches in call to instance method 'appendInterpolation'
    _ = Code(text)  // error: no exact matches in call to initializer
    _ = Code(stringLiteral: text)
    // error: cannot convert value of type 'String' to expected argument type 'StaticString'
    _ = Code(unchecked: text)  // error: no exact matches in call to initializer
    _ = Identifier(text)  // error: 'Identifier' initializer is inaccessible due to 'fileprivate' protection level
    _ = SwiftType.standard(text)  // error: cannot convert value of type 'String' to expected argument type 'Code'
}

func show(_ text: String) -> (MarkdownText, HTMLText, TerminalText) {
    ("\(text)", "<p>\(text)</p>", "\(text)\n")
}

func showWhole(_ text: String) -> MarkdownText {
    text  // error: cannot convert return expression of type 'String' to return type 'MarkdownText'
}
