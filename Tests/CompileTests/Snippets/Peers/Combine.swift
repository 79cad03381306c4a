// swift-format-ignore-file
// A replacement for the module of this name: only its names.

public enum Cancellable {}
public enum Deferred {}
public enum Empty {}
public enum Fail {}
public enum Future {}
public enum Just {}
public enum Published {}
public enum Publisher {}
public enum Publishers {}
public enum Record {}
public enum Scheduler {}
public enum Subject {}
public enum Subscriber {}
public enum Subscription {}
public enum TopLevelDecoder {}
public enum TopLevelEncoder {}
