import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// Every channel, whatever the counterpart does and whatever is sent: the callback and the code that are documented.
@Suite struct `Conformance` {
  @Test func `payloads at the limit are exactly as large as the limit`() {
    for sending in ConformanceCase.Sending.allCases where !sending.isData {
      let exact = ConformanceCase(sending: sending, counterpart: .reachable, content: .exact, sender: .watch)
      #expect(Payload.bytes(of: exact.dictionary)?.count == sending.limit)
      var over = exact
      over.content = .over
      #expect(Payload.bytes(of: over.dictionary)?.count == sending.limit + 1)
    }
  }

  @Test func `the table has every combination`() { #expect(ConformanceCase.all.count == 8 * 5 * 4 * 2 - 2 * 5 * 2) }

  @Test(arguments: ConformanceCase.all)
  func `every channel does what it should, whatever the counterpart does`(_ given: ConformanceCase) throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let peer = given.sender.peer
    var peerLog = (peer == .watch ? watch : phone).log
    let ownLog = (peer == .watch ? phone : watch).log
    begin(given.counterpart, of: peer, pair)

    let results = AppLog()
    let file = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID().uuidString)")
    if given.sending == .file { try Data(count: 10_000).write(to: file) }
    defer { try? FileManager.default.removeItem(at: file) }
    send(given, file, pair.session(given.sender), results)
    pair.run(for: .seconds(2))
    #expect(peerLog.all(given.received).count == (given.arrivesAtOnce ? 1 : 0))

    if given.counterpart == .restarted {
      let again = WholeApp()
      peerLog = again.log
      try pair.launch(peer, again)
      pair.tell(given.sender, .peer(isRunning: true))
    }
    end(given.counterpart, of: peer, pair)
    pair.run(for: .seconds(60))

    #expect(peerLog.all(given.received).count == (given.arrives ? 1 : 0), "\(peerLog.all)")
    let own = pair.session(given.sender)
    #expect(
      own.outstandingUserInfoTransfers.count + own.outstandingFileTransfers.count == (given.isOutstanding ? 1 : 0))
    check(given, results, ownLog)
  }

  /// Exactly one of the answers that can come, with the right code.
  private func check(_ given: ConformanceCase, _ results: AppLog, _ ownLog: AppLog) {
    let finished = ownLog.all("finished").map { $0.split(separator: " ").last.map(String.init) ?? "" }
    let sentFiles = ownLog.all("sentFile").map { $0.split(separator: " ").last.map(String.init) ?? "" }
    let told = given.error.map(String.init) ?? "-"
    switch given.sending {
    case .message, .data: #expect(results.all == (given.error.map { ["error \($0)"] } ?? []))
    case .request, .dataRequest: #expect(results.all == [given.error.map { "error \($0)" } ?? "reply"])
    case .context: #expect(results.all == [given.error.map { "error \($0)" } ?? "set"])
    case .userInfo, .complication: #expect(finished == (given.isOutstanding ? [] : [told]))
    case .file: #expect(sentFiles == (given.isOutstanding ? [] : [told]))
    }
  }

  private func begin(_ counterpart: ConformanceCase.Counterpart, of peer: NodeRole, _ pair: SessionPair) {
    switch counterpart {
    case .reachable: break
    case .unreachable: pair.setLink(up: false)
    case .suspended:
      pair.suspend(peer)
      if peer == .watch { pair.tell(peer.peer, .peer(isRunning: false)) }
    case .killed, .restarted:
      pair.kill(peer)
      pair.tell(peer.peer, .peer(isRunning: false))
    }
    pair.run(for: .seconds(1))
  }

  private func end(_ counterpart: ConformanceCase.Counterpart, of peer: NodeRole, _ pair: SessionPair) {
    switch counterpart {
    case .reachable, .killed, .restarted: break
    case .unreachable: pair.setLink(up: true)
    case .suspended:
      pair.suspend(peer, false)
      pair.tell(peer.peer, .peer(isRunning: true))
    }
  }

  private func send(_ given: ConformanceCase, _ file: URL, _ session: WCSession, _ results: AppLog) {
    let failed: (any Error) -> Void = { results.note("error \(Optional($0).spelled)") }
    switch given.sending {
    case .message: session.sendMessage(given.dictionary, replyHandler: nil, errorHandler: failed)
    case .request:
      session.sendMessage(given.dictionary, replyHandler: { _ in results.note("reply") }, errorHandler: failed)
    case .data: session.sendMessageData(given.data, replyHandler: nil, errorHandler: failed)
    case .dataRequest:
      session.sendMessageData(given.data, replyHandler: { _ in results.note("reply") }, errorHandler: failed)
    case .context:
      do {
        try session.updateApplicationContext(given.dictionary)
        results.note("set")
      } catch {
        failed(error)
      }
    case .userInfo: session.transferUserInfo(given.dictionary)
    case .complication: session.transferCurrentComplicationUserInfo(given.dictionary)
    case .file: session.transferFile(file, metadata: given.dictionary)
    }
  }
}
