@testable import CoachProtocol
@testable import Link

enum MessageTarget: FuzzTarget {
  static let name = "messages"
  static let about = "the app's messages, file metadata and health queries; a decoded message survives encoding"
  static var words: [String] { AppMessage.Kind.allCases.map(\.rawValue) + ["kind", "v", "runId"] }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { AppMessage.Kind.allCases.map { $0.example.encoded } }

  static func run(_ bytes: [UInt8]) {
    _ = try? FileMetadata(decoding: bytes)
    if let query = HealthQuery(bytes) { _ = HealthAnswer(bytes, to: query) }
    guard let message = try? AppMessage(decoding: bytes) else { return }
    let encoded = message.encoded
    guard let again = try? AppMessage(decoding: encoded) else { preconditionFailure("\(message) cannot be decoded") }
    precondition(again.encoded == encoded, "another message")
  }
}
