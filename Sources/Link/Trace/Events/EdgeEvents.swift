/// The event `edge.request`.
public struct EdgeRequest: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.request"
  public static let about = "A request arrives."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var id: Identifier = .none
  public var path: String = ""
  public var digest: EventDigest = .none
  public var bytes: Int64 = 0
  public var failure: String?

  public init() {}
  public var body: EventBody { .edgeRequest(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.edgeRequest(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("path", &path, "the path")
    fields.field("digest", &digest, "of the body")
    fields.field("bytes", &bytes, "the length of the body")
    fields.field("failure", &failure, "the scenario's failure that applies to it")
  }
}

/// The event `edge.response`.
public struct EdgeResponse: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.response"
  public static let about = "An answer is sent."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var id: Identifier = .none
  public var path: String = ""
  public var status: Int64 = 0
  public var bytes: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("path", &path, "the path")
    fields.field("status", &status, "the HTTP status")
    fields.field("bytes", &bytes, "the length of the body")
  }
}

/// The event `edge.model`.
public struct ModelAsked: TraceEventKind {
  public static let name: TraceEvent.Name = "edge.model"
  public static let about = "The proxy asks the model, after the system prompt of the personality."
  public static let places: TraceEvent.Writers = [.init(.edge)]

  public var id: Identifier = .none
  public var model: String = ""
  public var system: EventDigest = .none
  public var input: Int64 = 0
  public var cacheWritten: Int64 = 0
  public var cacheRead: Int64 = 0
  public var output: Int64 = 0
  public var costUsd: Double = 0

  public init() {}
  public var body: EventBody { .edgeModel(self) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {
    checker.edgeModel(self, at: place, into: &report)
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("model", &model, "the model")
    fields.field("system", &system, "of the stable prefix: the personality's prompt, memory and recent runs")
    fields.field("input", &input, "tokens at the full price")
    fields.field("cacheWritten", &cacheWritten, "tokens of the prefix that were put into the prompt's cache")
    fields.field("cacheRead", &cacheRead, "tokens of the prefix that were in it")
    fields.field("output", &output, "tokens of the answer")
    fields.number("costUsd", &costUsd, places: 7, "dollars")
  }
}

/// The event `uplink.duplicate`.
public struct UplinkDuplicate: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.duplicate"
  public static let about = "Another copy of an answer, or of a request."
  public static let places: TraceEvent.Writers = [.init(.phone), .init(.edge)]

  public var id: Identifier = .none

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
  }
}

/// The event `uplink.reachability`.
public struct UplinkReachabilityChanged: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.reachability"
  public static let about = "The phone learns whether the edge is reachable."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var reachable: Bool = false

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("reachable", &reachable, "whether it is")
  }
}

/// The event `uplink.refused`.
public struct UplinkRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.refused"
  public static let about = "A request is not sent."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var id: Identifier = .none
  public var path: String = ""
  public var bytes: Int64 = 0
  public var error: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("path", &path, "the path")
    fields.field("bytes", &bytes, "the length of the body")
    fields.field("error", &error, "payloadTooLarge")
  }
}

/// The event `uplink.undecodable`.
public struct UplinkUndecodable: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.undecodable"
  public static let about = "A payload cannot be decoded."
  public static let places: TraceEvent.Writers = [.init(.phone), .init(.edge)]

  public var id: Identifier = .none
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var error: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the payload's digest")
    fields.field("error", &error, "what is wrong with it")
  }
}
