import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// What `transferFile` does.
@Suite struct `Files` {
  private func file(_ name: String, _ byteCount: Int, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wcf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: name)
    try Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: url)
    try body(url)
  }

  @Test func `a file arrives whole, under its name, with its metadata`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    try file("note.m4a", 200_000) { url in
      let transfer = pair.session(.watch).transferFile(url, metadata: ["n": 1])
      #expect(transfer.file.fileURL == url && transfer.isTransferring)
      #expect(transfer.progress.totalUnitCount == 200_000 && transfer.progress.completedUnitCount == 0)
      #expect(pair.session(.watch).outstandingFileTransfers == [transfer])
      pair.run(for: .seconds(10))
      #expect(phone.log.all("file") == ["file note.m4a 200000 n:1"])
      #expect(watch.log.all("sentFile") == ["sentFile note.m4a -"])
      #expect(watch.finished == [ObjectIdentifier(transfer)])
      #expect(transfer.progress.fractionCompleted == 1 && !transfer.isTransferring)
      #expect(pair.session(.watch).outstandingFileTransfers.isEmpty)
    }
  }

  @Test func `it is gone when the delegate returns, unless it was moved`() throws {
    let (watch, phone) = (Keeper(), Keeper())
    let pair = try SessionPair.together(watch, phone)
    phone.keepsIn = URL(fileURLWithPath: pair.phone.folder)
    try file("a.txt", 10) { url in
      pair.session(.watch).transferFile(url, metadata: ["keep": false])
      pair.session(.watch).transferFile(url, metadata: ["keep": true])
      pair.run(for: .seconds(5))
    }
    #expect(phone.places.count == 2 && Set(phone.places).count == 2)
    #expect(phone.places.allSatisfy { $0.lastPathComponent == "a.txt" })
    #expect(phone.places.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    #expect(phone.existed == [true, true])
    #expect(FileManager.default.fileExists(atPath: "\(pair.phone.folder)/kept-a.txt"))
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(pair.phone.folder)/inbox")
    #expect(left.isEmpty)
  }

  @Test func `the progress of a file can be observed`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    let seen = AppLog()
    try file("a", 100_000) { url in
      let transfer = pair.session(.watch).transferFile(url, metadata: nil)
      let observation = transfer.progress.observe(\.fractionCompleted, options: [.new]) { progress, change in
        seen.note(change.newValue == progress.fractionCompleted ? "\(progress.fractionCompleted)" : "another")
      }
      pair.run(for: .seconds(5))
      observation.invalidate()
    }
    let fractions = seen.all.compactMap { Double($0) }
    #expect(fractions.count == seen.all.count && fractions.count > 1)
    #expect(fractions == fractions.sorted() && fractions.last == 1)
  }

  @Test func `metadata is optional, and a file may be empty`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    try file("empty", 0) { url in
      pair.session(.watch).transferFile(url, metadata: nil)
      pair.run(for: .seconds(5))
    }
    #expect(phone.log.all("file") == ["file empty 0 -"])
  }

  @Test func `what cannot be read fails with 7013, and stays no longer`() throws {
    let watch = WholeApp()
    let pair = try SessionPair.together(watch, WholeApp())
    for url in [
      URL(fileURLWithPath: "/nowhere/at/all"), URL(fileURLWithPath: "/tmp"), URL(string: "https://example.org/x"),
    ] {
      guard let url else { continue }
      let transfer = pair.session(.watch).transferFile(url, metadata: nil)
      #expect(!transfer.isTransferring)
    }
    pair.run(for: .seconds(1))
    #expect(watch.log.all("sentFile").map { $0.suffix(4) } == ["7013", "7013", "7013"])
    #expect(pair.session(.watch).outstandingFileTransfers.isEmpty)
  }

  @Test func `a receiver without room fails the transfer with 7015`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.tell(.watch, .disk(isFull: true))
    pair.run(for: .seconds(1))
    try file("a", 10) { url in
      pair.session(.watch).transferFile(url, metadata: nil)
      pair.run(for: .seconds(1))
    }
    #expect(watch.log.all("sentFile") == ["sentFile a 7015"])
  }

  @Test func `a file goes on where it stopped, after a cut and kills of both sides`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let (sender, receiver) = (WholeApp(), WholeApp())
    try file("long", 3_000_000) { url in
      pair.session(.watch).transferFile(url, metadata: nil)
      pair.run(for: .milliseconds(30))
      let before = pair.session(.watch).outstandingFileTransfers.first?.progress.completedUnitCount ?? 0
      #expect(before > 0 && before < 3_000_000)
      pair.kill(.watch)
      pair.kill(.phone)
      try pair.launch(.watch, sender)
      try pair.launch(.phone, receiver)
      while pair.session(.watch).activationState == .notActivated { pair.run(for: .milliseconds(1)) }
      let owed = pair.session(.watch).outstandingFileTransfers
      #expect(owed.map(\.file.fileURL.lastPathComponent) == ["long"])
      pair.run(for: .seconds(60))
    }
    #expect(receiver.log.all("file") == ["file long 3000000 -"])
    #expect(sender.log.all("sentFile") == ["sentFile long -"])
  }

  /// What can happen to an original before its transfer has ended.
  private static let mishaps: [(name: String, happen: @Sendable (URL) throws -> Void)] = [
    ("deleted", { try FileManager.default.removeItem(at: $0) }),
    ("written over with as many bytes", { try Data(repeating: 1, count: 1_000).write(to: $0) }),
    ("replaced", { try Data(repeating: 1, count: 1_000).write(to: $0, options: .atomic) }),
    ("cut off", { try Data().write(to: $0) }),
    ("moved", { try FileManager.default.moveItem(at: $0, to: $0.appendingPathExtension("moved")) }),
  ]

  @Test(arguments: mishaps.indices)
  func `an original that is gone or changed before its transfer has ended fails it with 7013`(mishap: Int) throws {
    for restarts in [false, true] {
      let (watch, phone) = (WholeApp(), WholeApp())
      let pair = try SessionPair.together(watch, phone)
      var sender = watch
      pair.setLink(up: false)
      try file("a", 1_000) { url in
        pair.session(.watch).transferFile(url, metadata: nil)
        try Self.mishaps[mishap].happen(url)
        if restarts {
          pair.kill(.watch)
          sender = WholeApp()
          try pair.launch(.watch, sender)
        }
        pair.setLink(up: true)
        pair.run(for: .seconds(60))
        #expect(sender.log.all("sentFile") == ["sentFile a 7013"], "\(Self.mishaps[mishap].name)")
        #expect(phone.log.all("file").isEmpty)
        #expect(pair.session(.watch).outstandingFileTransfers.isEmpty)
        let line = pair.watch.lines("transfer.cancelled").first
        #expect(line?["error"]?.text == "fileAccessDenied" && line?["by"]?.text == "sender")
      }
    }
  }

  @Test func `an original that changes under way fails its transfer, and the next one arrives`() throws {
    // As a wrapper does that writes everything it sends to one path.
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    try file("blob", 3_000_000) { url in
      pair.session(.watch).transferFile(url, metadata: ["n": 1])
      pair.run(for: .milliseconds(30))
      try Data(repeating: 2, count: 3_000_000).write(to: url, options: .atomic)
      pair.session(.watch).transferFile(url, metadata: ["n": 2])
      pair.run(for: .seconds(60))
    }
    #expect(watch.log.all("sentFile") == ["sentFile blob 7013", "sentFile blob -"])
    #expect(phone.log.all("file") == ["file blob 3000000 n:2"])
  }

  @Test func `by choice a file is copied at the call, and the original is needed no more`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair()
    pair.options.copiesFiles = true
    try pair.launch(.watch, watch)
    try pair.launch(.phone, phone)
    pair.run(for: .seconds(1))
    pair.setLink(up: false)
    try file("gone", 1_000) { url in pair.session(.watch).transferFile(url, metadata: nil) }
    pair.setLink(up: true)
    pair.run(for: .seconds(5))
    #expect(phone.log.all("file") == ["file gone 1000 -"])
  }

  @Test func `a cancelled file does not arrive`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.setLink(up: false)
    try file("a", 1_000) { url in
      let transfer = pair.session(.watch).transferFile(url, metadata: nil)
      pair.session(.watch).transferFile(url, metadata: ["n": 2])
      transfer.cancel()
      #expect(!transfer.isTransferring)
      pair.setLink(up: true)
      pair.run(for: .seconds(5))
    }
    #expect(phone.log.all("file") == ["file a 1000 n:2"])
    #expect(watch.log.all("sentFile") == ["sentFile a -"])
  }

  @Test func `a crash inside the callback hands the file over again`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let runtime = try #require(pair.phone.runtime)
    phone.onCall = { if $0.hasPrefix("file") { runtime.crash() } }
    try file("a", 1_000) { url in
      pair.session(.watch).transferFile(url, metadata: nil)
      pair.run(for: .seconds(5))
    }
    #expect(phone.log.all("file") == ["file a 1000 -"])
    pair.kill(.phone)
    let later = WholeApp()
    try pair.launch(.phone, later)
    pair.run(for: .seconds(5))
    #expect(later.log.all("file") == ["file a 1000 -"])
    #expect(pair.phone.lines("transfer.redelivered").count == 1)
  }
}

/// An app that keeps files where their sender says so.
private final class Keeper: NSObject, WCSessionDelegate {
  var keepsIn: URL?
  var places: [URL] = []
  var existed: [Bool] = []

  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
  ) {}

  func session(_ session: WCSession, didReceive file: WCSessionFile) {
    places.append(file.fileURL)
    existed.append(FileManager.default.fileExists(atPath: file.fileURL.path))
    guard file.metadata?["keep"] as? Bool == true, let folder = keepsIn else { return }
    try? FileManager.default.moveItem(
      at: file.fileURL, to: folder.appending(path: "kept-\(file.fileURL.lastPathComponent)"))
  }
}
