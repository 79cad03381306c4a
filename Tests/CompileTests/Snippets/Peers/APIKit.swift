// swift-format-ignore-file
// A stand-in for the module of this name: its names alone.

public protocol Request { associatedtype Response }
public class Session { public init() {} }
public enum HTTPMethod: String { case get = "GET" }
public protocol DataParser {}
public protocol BodyParameters {}
public enum SessionTaskError: Error { case connectionError }
public enum RequestError: Error {}
public enum ResponseError: Error {}
