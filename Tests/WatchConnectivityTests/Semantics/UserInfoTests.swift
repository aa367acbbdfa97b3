import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// What `transferUserInfo` does.
@Suite struct `User infos` {
  @Test func `user infos finish in the order of queueing, also on a lossy link after a cut`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.begin(PlannedFault(LossFault(.independent(Probability(0.4) ?? .never))))
    for number in 0..<5 { pair.session(.watch).transferUserInfo(["n": number]) }
    pair.run(for: .seconds(2))
    pair.setLink(up: false)
    for number in 5..<30 { pair.session(.watch).transferUserInfo(["n": number]) }
    pair.run(for: .seconds(10))
    pair.setLink(up: true)
    pair.run(for: .seconds(600))
    #expect(phone.log.all("info") == (0..<30).map { "info n:\($0)" })
    #expect(watch.log.all("finished") == (0..<30).map { "finished n:\($0) -" })
  }

  @Test func `they arrive in order, each once, through a cut and two kills`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    for number in 0..<100 { pair.session(.watch).transferUserInfo(["n": number]) }
    pair.run(for: .milliseconds(7))
    pair.setLink(up: false)
    for number in 100..<150 { pair.session(.watch).transferUserInfo(["n": number]) }
    pair.kill(.watch)
    pair.kill(.phone)
    pair.setLink(up: true)
    let later = WholeApp()
    try pair.launch(.watch, WholeApp())
    try pair.launch(.phone, later)
    pair.run(for: .seconds(120))
    #expect(phone.log.all("info") + later.log.all("info") == (0..<150).map { "info n:\($0)" })
  }

  @Test func `the object that is returned is the one that finishes`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let transfers = (0..<3).map { pair.session(.watch).transferUserInfo(["n": $0]) }
    #expect(transfers.allSatisfy { $0.isTransferring })
    #expect(pair.session(.watch).outstandingUserInfoTransfers == transfers)
    pair.run(for: .seconds(1))
    #expect(watch.finished == transfers.map { ObjectIdentifier($0) })
    #expect(!transfers.contains { $0.isTransferring })
    #expect(pair.session(.watch).outstandingUserInfoTransfers.isEmpty)
  }

  @Test func `after a restart what is owed is listed, and finishes`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    pair.setLink(up: false)
    for number in 0..<100 { pair.session(.watch).transferUserInfo(["n": number]) }
    pair.kill(.watch)
    let later = WholeApp()
    try pair.launch(.watch, later)
    pair.run(for: .seconds(1))
    let owed = pair.session(.watch).outstandingUserInfoTransfers
    #expect(owed.map { $0.userInfo["n"] as? Int } == Array(0..<100))
    #expect(owed.allSatisfy { $0.isTransferring })
    pair.setLink(up: true)
    pair.run(for: .seconds(60))
    #expect(later.log.all("finished").count == 100)
    #expect(later.finished == owed.map { ObjectIdentifier($0) })
  }

  @Test func `an end that the app did not live to hear is delivered at its next start`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.suspend(.watch)
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(2))
    #expect(watch.log.all("finished").isEmpty)
    #expect(phone.log.all("info") == ["info n:1"])
    pair.kill(.watch)
    let later = WholeApp()
    try pair.launch(.watch, later)
    pair.run(for: .seconds(5))
    #expect(later.log.all("finished") == ["finished n:1 -"])
    pair.kill(.watch)
    let last = WholeApp()
    try pair.launch(.watch, last)
    pair.run(for: .seconds(5))
    #expect(last.log.all("finished").isEmpty)
  }

  @Test func `a crash inside the callback hands the same over again, and the trace says so`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let runtime = try #require(pair.phone.runtime)
    phone.onCall = { if $0.hasPrefix("info") { runtime.crash() } }
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.session(.watch).transferUserInfo(["n": 2])
    pair.run(for: .seconds(1))
    #expect(phone.log.all("info") == ["info n:1"])
    pair.kill(.phone)
    let later = WholeApp()
    try pair.launch(.phone, later)
    pair.run(for: .seconds(10))
    #expect(later.log.all("info") == ["info n:1", "info n:2"])
    #expect(pair.phone.lines("transfer.delivered").compactMap { $0["seq"]?.integer } == [1, 2])
    #expect(pair.phone.lines("transfer.redelivered").compactMap { $0["seq"]?.integer } == [1])
  }

  @Test func `a cancelled transfer does not arrive, and its end is delivered only on request`() throws {
    for isTold in [false, true] {
      let (watch, phone) = (WholeApp(), WholeApp())
      let pair = try SessionPair()
      pair.options.tellsCancellation = isTold
      try pair.launch(.watch, watch)
      try pair.launch(.phone, phone)
      pair.run(for: .seconds(1))
      pair.setLink(up: false)
      pair.session(.watch).transferUserInfo(["n": 1])
      let second = pair.session(.watch).transferUserInfo(["n": 2])
      pair.session(.watch).transferUserInfo(["n": 3])
      second.cancel()
      #expect(!second.isTransferring && pair.session(.watch).outstandingUserInfoTransfers.count == 2)
      pair.setLink(up: true)
      pair.run(for: .seconds(5))
      #expect(phone.log.all("info") == ["info n:1", "info n:3"])
      #expect(watch.log.all("finished n:2").count == (isTold ? 1 : 0))
      second.cancel()
      pair.run(for: .seconds(1))
      #expect(watch.log.all("finished").count == (isTold ? 3 : 2))
    }
  }

  @Test func `cancelling what has arrived has no effect`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let transfer = pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(1))
    transfer.cancel()
    pair.run(for: .seconds(1))
    #expect(phone.log.all("info") == ["info n:1"] && watch.log.all("finished") == ["finished n:1 -"])
    #expect(pair.watch.lines("transfer.cancelled").isEmpty)
  }

  @Test func `a transfer can be archived`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    let transfer = pair.session(.watch).transferUserInfo(["n": 1, "text": "x"])
    let data = try NSKeyedArchiver.archivedData(withRootObject: transfer, requiringSecureCoding: true)
    let made = try NSKeyedUnarchiver.unarchivedObject(ofClass: WCSessionUserInfoTransfer.self, from: data)
    let copy = try #require(made)
    #expect(copy.userInfo.spelled == "n:1,text:x" && !copy.isTransferring)
    #expect(WCSessionUserInfoTransfer.supportsSecureCoding)
  }

  @Test func `an app without delegate, or without the method, loses what is handed over`() throws {
    let pair = try SessionPair.together(WholeApp(), BareApp())
    pair.session(.watch).transferUserInfo(["n": 1])
    pair.run(for: .seconds(1))
    pair.session(.phone).delegate = nil
    pair.session(.watch).transferUserInfo(["n": 2])
    pair.run(for: .seconds(1))
    #expect(pair.phone.lines("transfer.delivered").count == 2)
    #expect(pair.session(.watch).outstandingUserInfoTransfers.isEmpty)
  }

  // MARK: The complication

  @Test func `a later update takes the complication from the one before, which stays queued`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.setLink(up: false)
    let session = pair.session(.phone)
    session.transferUserInfo(["n": 0])
    let first = session.transferCurrentComplicationUserInfo(["n": 1])
    #expect(first.isCurrentComplicationInfo && session.remainingComplicationUserInfoTransfers == 49)
    let second = session.transferCurrentComplicationUserInfo(["n": 2])
    #expect(!first.isCurrentComplicationInfo && first.isTransferring && second.isCurrentComplicationInfo)
    #expect(session.outstandingUserInfoTransfers.count == 3)
    pair.setLink(up: true)
    pair.run(for: .seconds(5))
    #expect(watch.log.all("info") == ["info n:1", "info n:2", "info n:0"])
  }

  @Test func `beyond fifty a day they are ordinary ones`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let session = pair.session(.phone)
    #expect(session.isComplicationEnabled && session.remainingComplicationUserInfoTransfers == 50)
    for number in 0..<51 { session.transferCurrentComplicationUserInfo(["n": number]) }
    pair.run(for: .seconds(20))
    #expect(session.remainingComplicationUserInfoTransfers == 0)
    #expect(watch.log.all("info").count == 51)
    #expect(pair.phone.lines("transfer.queued").count { $0["complication"]?.boolean == true } == 50)
  }

  @Test func `without a complication there is no budget`() throws {
    let watch = WholeApp()
    let pair = try SessionPair()
    pair.options.isComplicationEnabled = false
    try pair.launch(.watch, watch)
    let session = try pair.launch(.phone, WholeApp())
    pair.run(for: .seconds(1))
    #expect(!session.isComplicationEnabled && session.remainingComplicationUserInfoTransfers == 0)
    session.transferCurrentComplicationUserInfo(["n": 1])
    pair.run(for: .seconds(1))
    #expect(watch.log.all("info") == ["info n:1"])
    #expect(pair.phone.lines("transfer.queued").allSatisfy { $0["complication"] == nil })
  }
}
