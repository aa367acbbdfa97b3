import Foundation
import Link

/// Records a session on the phone: call it from the delegate, on one queue.
final class SessionRecording {
  private var recorder: TraceRecorder
  private let begin = ProcessInfo.processInfo.systemUptime

  init(to file: FileHandle) {
    recorder = TraceRecorder(
      on: .phone, name: "sunday-run", startedAt: ISO8601DateFormatter().string(from: Date())
    ) { file.write(Data($0)) }
    recorder.activated(at: 0)
  }

  private var now: Int64 { Int64((ProcessInfo.processInfo.systemUptime - begin) * 1e9) }

  // session(_:didReceiveMessage:)
  func didReceive(message: [String: Any]) throws {
    recorder.messageReceived(try Self.bytes(message), kind: message["kind"] as? String, at: now)
  }

  // session(_:didReceiveUserInfo:)
  func didReceive(userInfo: [String: Any]) throws {
    recorder.transferReceived(try Self.bytes(userInfo), at: now)
  }

  // sessionReachabilityDidChange(_:)
  func reachabilityDidChange(to isReachable: Bool) {
    recorder.reachabilityChanged(to: isReachable, at: now)
  }

  // Around sendMessage(_:replyHandler:errorHandler:)
  func willSend(message: [String: Any]) throws -> TraceRecorder.Question {
    recorder.messageSent(try Self.bytes(message), at: now)
  }
  func didReply(to question: TraceRecorder.Question) { recorder.replied(to: question, at: now) }
  func didFail(_ question: TraceRecorder.Question) { recorder.failed(question, .noReply, at: now) }

  func close() { recorder.close(at: now) }

  private static func bytes(_ dictionary: [String: Any]) throws -> [UInt8] {
    [UInt8](try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0))
  }
}
