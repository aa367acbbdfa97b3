import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// What one side sends, how the other is, and what the payload is like.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  enum Sending: String, CaseIterable, Sendable {
    case message, request, data, dataRequest, context, userInfo, complication, file

    /// Whether it needs a counterpart in reach.
    var isInteractive: Bool { [.message, .request, .data, .dataRequest].contains(self) }
    var wantsReply: Bool { self == .request || self == .dataRequest }
    var isData: Bool { self == .data || self == .dataRequest }
    /// The largest payload, in bytes, inclusive.
    var limit: Int { self == .context ? 262_144 : 65_536 }
  }

  /// What has become of the counterpart when something is sent.
  enum Counterpart: String, CaseIterable, Sendable { case reachable, unreachable, suspended, killed, restarted }

  enum Content: String, CaseIterable, Sendable { case fits, exact, over, wrongType }

  var sending: Sending
  var counterpart: Counterpart
  var content: Content
  var sender: NodeRole

  var testDescription: String {
    "\(sending.rawValue) from the \(sender.text), counterpart \(counterpart.rawValue), payload \(content.rawValue)"
  }

  /// Every combination that can be said: plain data has no wrong type.
  static let all: [ConformanceCase] = Sending.allCases.flatMap { sending in
    Counterpart.allCases.flatMap { counterpart in
      Content.allCases.flatMap { content in
        [NodeRole.watch, .phone].compactMap { sender in
          sending.isData && content == .wrongType
            ? nil : ConformanceCase(sending: sending, counterpart: counterpart, content: content, sender: sender)
        }
      }
    }
  }

  // MARK: What is expected

  /// The error, and what reports it: the call, the error handler or the delegate.
  var error: Int? {
    switch content {
    case .over: return 7009
    case .wrongType: return 7010
    case .fits, .exact: break
    }
    guard sending.isInteractive else { return nil }
    switch counterpart {
    case .reachable: return nil
    case .unreachable, .killed, .restarted: return 7007
    // A message wakes a phone's app, and not a watch's.
    case .suspended: return sender == .watch ? nil : 7007
    }
  }

  /// Whether the counterpart's app has it before its state ends.
  var arrivesAtOnce: Bool {
    guard error == nil else { return false }
    return counterpart == .reachable || (counterpart == .suspended && sending.isInteractive)
  }

  /// Whether it has it in the end.
  var arrives: Bool { arrivesAtOnce || (error == nil && !sending.isInteractive && counterpart != .killed) }

  /// Whether a transfer is still owed at the end.
  var isOutstanding: Bool {
    error == nil && counterpart == .killed && [.userInfo, .complication, .file].contains(sending)
  }

  // MARK: What is sent

  /// A dictionary of the wanted size.
  var dictionary: [String: Any] {
    switch content {
    case .fits: return ["k": Data(count: 100)]
    case .wrongType: return ["k": NSNull()]
    case .exact, .over:
      let limit = sending.limit + (content == .over ? 1 : 0)
      let probe = Payload.bytes(of: ["k": Data(count: limit - 100)])?.count ?? 0
      return ["k": Data(count: limit - 100 + limit - probe)]
    }
  }

  var data: Data { Data(count: content == .fits ? 100 : sending.limit + (content == .over ? 1 : 0)) }

  /// What the receiver's app notes.
  var received: String {
    switch sending {
    case .message: "message "
    case .request: "request "
    case .data: "data "
    case .dataRequest: "dataRequest "
    case .context: "context "
    case .userInfo, .complication: "info "
    case .file: "file "
    }
  }
}
