public import Link

/// What a transferred file is, as its metadata says.
public enum FileMetadata: Sendable, Equatable {
  /// Something the runner said.
  case voiceNote(VoiceNoteMetadata)
  /// Test traffic, with its number.
  case probe(Int64)

  /// The kinds of files: `kind` in the metadata and in the trace.
  public enum Kind: String, Sendable, CaseIterable {
    case voiceNote, probe
  }

  /// The version of every kind: `v` in the metadata.
  public static let version: Int64 = 1

  /// The metadata's bytes.
  public var encoded: [UInt8] {
    switch self {
    case .voiceNote(let note): return note.encoded
    case .probe(let number):
      var writer = PropertyListWriter(entryCount: 3)
      writer.string("kind", Kind.probe.rawValue)
      writer.integer("v", Self.version)
      writer.integer("n", number)
      return writer.finish()
    }
  }

  /// The fields of a trace line of the transfer, from `kind` on.
  public var traceDetails: [TraceEvent.Field] {
    switch self {
    case .voiceNote(let note): note.traceDetails
    case .probe(let number): [.init("kind", .string(Kind.probe.rawValue)), .init("n", .int(number))]
    }
  }

  /// Reads the metadata of a file that arrived.
  ///
  /// - Throws: ``FileMetadataError``, whatever the bytes are.
  public init(decoding bytes: [UInt8]) throws(FileMetadataError) {
    var fields = try FileMetadataFields(bytes)
    let text = try fields.string("kind")
    guard let kind = Kind(rawValue: text) else {
      throw FileMetadataError("unknown kind \"\(text.prefix(64))\"")
    }
    guard try fields.integer("v", Self.version...Self.version) != nil else { throw fields.missing("v") }
    switch kind {
    case .voiceNote: self = .voiceNote(try VoiceNoteMetadata(from: &fields))
    case .probe:
      guard let number = try fields.integer("n", 0 ... .max) else { throw fields.missing("n") }
      self = .probe(number)
    }
  }
}

/// Why a file's metadata cannot be understood: what was found, and what was expected.
public struct FileMetadataError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for the trace.
  public var description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}
