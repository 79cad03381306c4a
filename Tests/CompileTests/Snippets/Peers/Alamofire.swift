// swift-format-ignore-file
// A replacement for the module of this name: only its names.

public struct HTTPMethod: Sendable { public static let get = HTTPMethod() }
public struct HTTPHeader {}
public struct HTTPHeaders {}
public typealias Parameters = [String: Any]
public class Request {}
public class DataRequest: Request {}
public class Session { public init() {} }
public struct DataResponse<Success, Failure: Error> {}
public enum AFError: Error { case explicitlyCancelled }
public protocol RequestInterceptor {}
public protocol ResponseSerializer {}
public protocol ParameterEncoder {}
public protocol EventMonitor {}
public enum Empty {}
