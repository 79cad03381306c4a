// swift-format-ignore-file
// A replacement for the module of this name: only its names.

public struct HTTPField { public struct Name {} }
public struct HTTPFields {}
public struct HTTPRequest { public struct Method {} }
public struct HTTPResponse { public struct Status {} }
