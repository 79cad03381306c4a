// swift-format-ignore-file
// A stand-in for the module of this name: its names alone.

public struct Query<Element> { public init() {} }
public enum DataStore {}
public enum FetchDescriptor {}
public enum History {}
public enum ModelConfiguration {}
public enum ModelContainer {}
public enum ModelContext {}
public enum PersistentModel {}
public enum Schema {}
