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

  public var kind: Kind {
    switch self {
    case .voiceNote: .voiceNote
    case .probe: .probe
    }
  }

  /// The metadata as a binary property list: `kind`, `v`, then the fields in their fixed order.
  public var encoded: [UInt8] {
    var writer = PayloadWriter([.init("kind", .string(kind.rawValue)), .init("v", .integer(Self.version))])
    switch self {
    case .voiceNote(var note): note.visit(&writer)
    case .probe(var number): writer.field("n", &number, "")
    }
    return writer.bytes
  }

  /// The fields of a transfer's trace event, from `kind` on.
  public var eventDetails: TransferDetails {
    var details = TransferDetails()
    details.kind = kind.rawValue
    switch self {
    case .voiceNote(let note): (details.note, details.runId) = (note.noteId, note.runId)
    case .probe(let number): details.n = number
    }
    return details
  }

  /// Decodes the untrusted metadata of a received file.
  ///
  /// - Throws: ``FileMetadataError``.
  public init(decoding bytes: [UInt8]) throws(FileMetadataError) {
    var reader: PayloadReader
    do throws(PropertyListError) { reader = try PayloadReader(bytes) } catch {
      throw FileMetadataError("a file's metadata: \(error)")
    }
    var (text, version, number) = ("", Int64(0), Int64(0))
    reader.field("kind", &text, "")
    let kind = Kind(rawValue: text)
    if kind == nil { reader.refuse("kind", found: "\"\(text.prefix(64))\"", expected: "voiceNote or probe") }
    reader.field("v", &version, in: Self.version...Self.version, "")
    if kind == .probe { reader.field("n", &number, in: 0 ... .max, "") }
    do throws(PayloadFault) {
      if kind == .voiceNote {
        self = .voiceNote(try reader.read(VoiceNoteMetadata.self))
      } else {
        if let fault = reader.fault { throw fault }
        self = .probe(number)
      }
    } catch { throw FileMetadataError(error) }
  }
}

/// Why a file's metadata is invalid: found and expected.
public struct FileMetadataError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for the trace.
  public var description: String

  public init(_ description: String) { self.description = description }

  init(_ fault: PayloadFault) {
    switch fault {
    case .missing(let key): description = "a file's metadata: no \(key)"
    case .wrong(let key, let found, let expected): description = "\(key) is \(found), expected \(expected)"
    }
  }
}
