package import Link

extension Plants {
  package static let chatOnce = Plants(bit: 7)
}

extension Plant {
  package static let chatOnce = Plant(
    "chat-once", .chatOnce, in: [.phone],
    happened:
      "The server got a new memory card, and from then on the assistant knew neither the user's name nor her bad knee.",
    wrong:
      "A chat message that was posted once is never posted again.",
    right:
      "Each answer says up to which message the server has read the chat, and the phone posts the rest.",
    caughtBy: ["profile-rebuilt"], sweptIn: "trust-aggregates")
}
