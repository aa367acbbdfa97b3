import CSystem
package import Console
import Foundation
import Link
import LinkTransport
package import Simulator

/// Receives commands on a socket: one line for a command, one line of JSON for its answer.
///
/// Invalid commands are answered with an error. Clients that send too much, or do not read their answers, are
/// disconnected. The run continues.
package final class ControlServer: ControlSource {
  /// Limit of a command, in bytes.
  static let lineMax = 8_192
  /// Limit of connections; a new one beyond it closes the oldest.
  static let clientsMax = 16

  private struct Client {
    let number: Int
    let descriptor: Int32
    var bytes: [UInt8] = []
  }

  private let socket: ControlSocket
  private var clients: [Client] = []
  private var count = 0

  package init(_ path: String) throws(Failure) { socket = try ControlSocket(path) }

  deinit { for client in clients { close(client.descriptor) } }

  package var descriptors: [Int32] { [socket.descriptor] + clients.map(\.descriptor) }

  package func readCommands(for control: RunControl) {
    if isReadable(socket.descriptor), let descriptor = socket.accept() {
      if clients.count == Self.clientsMax { hangUp(on: clients[0].number) }
      count += 1
      clients.append(Client(number: count, descriptor: descriptor))
    }
    for number in clients.map(\.number) { readCommands(of: number, control) }
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  private func readCommands(of number: Int, _ control: RunControl) {
    guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
    var room = [UInt8](repeating: 0, count: 4_096)
    let received = recv(clients[index].descriptor, &room, room.count, CInt(MSG_DONTWAIT))
    if received == 0 || received < 0 && errno != EAGAIN && errno != EINTR { return hangUp(on: number) }
    guard received > 0 else { return }
    clients[index].bytes += room.prefix(received)
    while let index = clients.firstIndex(where: { $0.number == number }),
      let end = clients[index].bytes.firstIndex(of: UInt8(ascii: "\n"))
    {
      let line = Array(clients[index].bytes[..<end])
      clients[index].bytes.removeSubrange(...end)
      obey(line, of: number, control)
    }
    if let index = clients.firstIndex(where: { $0.number == number }), clients[index].bytes.count > Self.lineMax {
      refuse("found a line of more than \(Self.lineMax) bytes, expected a shorter one", to: number)
      hangUp(on: number)
    }
  }

  private func obey(_ line: [UInt8], of number: Int, _ control: RunControl) {
    guard line.count <= Self.lineMax, let text = String(validating: line, as: UTF8.self) else {
      return refuse("found bytes that are not UTF-8, or too many, expected a command", to: number)
    }
    do {
      let words = try CommandWords.split(text, option: "command")
      guard let answer = try control.handle(words, by: .ctl, from: self, asker: number) else { return }
      send([JSONMember("ok", .bool(true))] + answer, to: number)
    } catch let refusal as ControlCommand.Refusal {
      refuse(refusal.text, to: number)
    } catch {
      refuse((error as? Failure)?.text ?? "\(error)", to: number)
    }
  }

  package func answer(_ asker: Int?, _ outcome: LiveOutcome) {
    guard let asker else { return }
    let fields: JSONFields = [
      "ok": .bool(!outcome.isRefused), "t": .integer(outcome.time.nanoseconds),
      outcome.isRefused ? "error" : "effect": .string(outcome.effect), "fault": outcome.fault.map { .string($0) },
    ]
    send([JSONMember](fields), to: asker)
  }

  private func refuse(_ why: String, to number: Int) {
    send([JSONMember("ok", .bool(false)), JSONMember("error", .string(TerminalText.escape(why)))], to: number)
  }

  private func send(_ members: [JSONMember], to number: Int) {
    guard let client = clients.first(where: { $0.number == number }) else { return }
    let bytes = JSONWriter.compact(JSONNode(.object(members))) + [UInt8(ascii: "\n")]
    // An answer fits into an empty socket; a client with a full one does not read.
    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    if Foundation.send(client.descriptor, bytes, bytes.count, flags) != bytes.count { hangUp(on: number) }
  }

  private func hangUp(on number: Int) {
    guard let index = clients.firstIndex(where: { $0.number == number }) else { return }
    close(clients.remove(at: index).descriptor)
  }
}

/// A Unix-domain socket at a path of the user's, in a folder that no other user may enter; deleted at the end.
package final class ControlSocket {
  let path: String
  let descriptor: Int32
  /// The folder that was created for it; nil for an existing one.
  private var madeFolder: String?

  /// Listens.
  ///
  /// Creates a missing folder, for this user only. Refuses a socket that another process listens on; replaces one that
  /// a dead run left behind.
  init(_ path: String) throws(Failure) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var made: String?
    if mkdir(folder, 0o700) == 0 { made = folder }
    do throws(Failure) {
      try Self.check(folder, of: path)
      descriptor = try Self.listen(path)
    } catch {
      if let made { rmdir(made) }
      throw error
    }
    madeFolder = made
  }

  deinit {
    close(descriptor)
    unlink(path)
    if let madeFolder { rmdir(madeFolder) }
  }

  private static func check(_ folder: String, of path: String) throws(Failure) {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .input("\(path): error: there is no folder \(folder), expected one")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .input(
        "\(path): error: others may enter the folder \(folder), expected one for this user alone (mkdir -m 700 FOLDER), "
          + "or one that is not there yet")
    }
  }

  private static func listen(_ path: String) throws(Failure) -> Int32 {
    var address = try address(of: path)
    let descriptor = try open(path)
    var bound = address.bind(descriptor)
    if bound != 0, errno == EADDRINUSE, isForsaken(path, &address) {
      unlink(path)
      bound = address.bind(descriptor)
    }
    guard bound == 0, Foundation.listen(descriptor, 8) == 0 else {
      let code = errno
      close(descriptor)
      if code == EADDRINUSE {
        throw .input("\(path): error: found something there, expected a free place for a socket")
      }
      throw .environment("\(path): error: the control socket cannot be made: \(SystemText.of(code))")
    }
    return descriptor
  }

  /// Whether there is a socket that no process listens on.
  private static func isForsaken(_ path: String, _ address: inout UnixAddress) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, let probe = try? open(path) else {
      return false
    }
    defer { close(probe) }
    return address.connect(probe) != 0 && errno == ECONNREFUSED
  }

  /// Accepts a waiting connection; nil if there is none, or if it is another user's.
  func accept() -> Int32? {
    let connection = cs_accept(descriptor, 1)
    guard connection >= 0 else { return nil }
    var (user, process): (UInt32, Int32) = (0, 0)
    guard cs_peer_credentials(connection, &user, &process) == 0, user == geteuid() else {
      close(connection)
      return nil
    }
    return connection
  }

  /// Connects to a run that listens.
  package static func connect(to path: String) throws(Failure) -> Int32 {
    var address = try address(of: path)
    let descriptor = try open(path)
    while address.connect(descriptor) != 0 {
      let code = errno
      if code == EINTR { continue }
      close(descriptor)
      let hint = code == ENOENT || code == ECONNREFUSED ? "; is a run with --control \(path) going on?" : ""
      throw .environment("\(path): error: \(SystemText.of(code))\(hint)")
    }
    return descriptor
  }

  private static func open(_ path: String) throws(Failure) -> Int32 {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .environment("\(path): error: no socket: \(SystemText.of(errno))") }
    return descriptor
  }

  private static func address(of path: String) throws(Failure) -> UnixAddress {
    do { return try UnixAddress(path) } catch {
      throw .input(
        "\(path): error: found \(path.utf8.count) bytes, expected a path of 1 to \(UnixAddress.pathBytesMax) for a socket"
      )
    }
  }
}
