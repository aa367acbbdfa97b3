package import Simulator
package import Console
import Foundation
import Link

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
