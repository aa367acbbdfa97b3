package import Console
import Foundation
import Link
import LinkTransport
import TraceTools

/// Serves the page of a session until its user ends it.
package final class PairShow {
  private let session: PairSession
  private let server: PageServer

  /// How often an open page gets what has changed.
  private static let interval = Duration.milliseconds(50)
  /// Interval between two queries of a slow run, in seconds.
  private static let makingSeconds = 0.005

  /// Listens.
  ///
  /// - Parameter port: 0 for any free one.
  package init(_ session: PairSession, port: UInt16, isInContainer: Bool) throws(Failure) {
    self.session = session
    server = try PageServer(port: port, isInContainer: isInContainer, source: session)
  }

  /// The address of the page, with its token.
  package var address: String { server.address }

  /// Serves until a signal ends it.
  package func run() {
    var pushedAt = ContinuousClock.now
    var shown = -1
    while !StopSignal.isRaised {
      let now = ContinuousClock.now
      let before = session.revision
      session.advance(to: now)
      if session.revision != shown, pushedAt.duration(to: now) >= Self.interval || session.wasTouched {
        pushedAt = now
        session.wasTouched = false
        if server.push() { shown = session.revision }
      }
      // Events that wait are received at once.
      let making = session.revision == before ? Self.makingSeconds : 0
      let idle = session.isPlaying || session.revision != shown ? 0.05 : 1
      server.serve(seconds: session.isMaking ? making : idle, stop: StopSignal.descriptor)
    }
    session.end()
  }
}

/// Opens an address in the user's browser.
package enum Browser {
  /// Programs that open an address, in the order of trying.
  private static let openers = ["xdg-open", "open", "sensible-browser", "wslview"]

  /// Starts the first program that there is.
  ///
  /// - Returns: Whether one was started; it may still fail to find a browser.
  package static func open(_ address: String) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    for name in openers {
      guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }) else {
        continue
      }
      let process = Process()
      process.executableURL = URL(filePath: "\(folder)/\(name)")
      process.arguments = [address]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      if (try? process.run()) != nil { return true }
    }
    return false
  }
}

/// The page's files, which are compiled into the program; the devices' drawing is that of the report.
enum PairPage {
  /// The parts of the script, in order; they share one scope.
  private static let script: [[UInt8]] = [
    PairDrawing.script, PackageResources.stream_js, PackageResources.time_js, PackageResources.touch_js,
    PackageResources.main_js,
  ]

  /// A file by the name in its address; nil if there is none of this name.
  static func file(_ name: String) -> (type: String, bytes: [UInt8])? {
    switch name {
    case "": ("text/html; charset=utf-8", PackageResources.pair_html)
    case "style.css": ("text/css; charset=utf-8", PairDrawing.style + PackageResources.pair_css)
    case "script.js":
      (
        "text/javascript; charset=utf-8",
        Array("\"use strict\";\n(() => {\n".utf8) + Array(script.joined()) + Array("})();\n".utf8)
      )
    default: nil
    }
  }
}
