// swift-format-ignore-file
// A replacement for the module of this name: only its names.

public protocol Request { associatedtype Response }
public class Session { public init() {} }
public enum HTTPMethod: String { case get = "GET" }
public protocol DataParser {}
public protocol BodyParameters {}
public enum SessionTaskError: Error { case connectionError }
public enum RequestError: Error {}
public enum ResponseError: Error {}
