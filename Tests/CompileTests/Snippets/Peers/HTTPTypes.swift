// swift-format-ignore-file
// A stand-in for the module of this name: its names alone.

public struct HTTPField { public struct Name {} }
public struct HTTPFields {}
public struct HTTPRequest { public struct Method {} }
public struct HTTPResponse { public struct Status {} }
