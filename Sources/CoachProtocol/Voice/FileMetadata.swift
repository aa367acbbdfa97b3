public import Link

/// The metadata of a transferred file.
public enum FileMetadata: Sendable, Equatable {
  case voiceNote(VoiceNoteMetadata)
  /// Test traffic, with its number.
  case probe(Int64)

  /// The kinds of files: `kind` in the metadata and in the trace.
  public enum Kind: String, Sendable, CaseIterable {
    case voiceNote, probe
  }

  /// The version of every kind: `v` in the metadata.
  public static let version: Int64 = 1

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

  /// The fields of a transfer's trace event, from `kind` on.
  public var eventDetails: TransferDetails {
    var details = TransferDetails()
    switch self {
    case .voiceNote(let note):
      details.kind = Kind.voiceNote.rawValue
      details.note = note.noteId
      details.runId = note.runId
    case .probe(let number):
      details.kind = Kind.probe.rawValue
      details.n = number
    }
    return details
  }

  /// Decodes the untrusted metadata of a received file.
  ///
  /// - Throws: ``FileMetadataError``.
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

/// Why a file's metadata is invalid: found and expected.
public struct FileMetadataError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for the trace.
  public var description: String

  public init(_ description: String) { self.description = description }
}
