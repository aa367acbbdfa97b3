-- Dissects the packets of `sim-runner export TRACE --format pcapng`, in Wireshark and tshark.
--
-- Wireshark: copy this file to the folder "Personal Lua Plugins" (Help > About > Folders).
-- tshark:    tshark -X lua_script:docs/wristwire.lua -r run.pcapng -O wristwire
--
-- The link type is USER0 (147). Every packet is one frame of the simulated link with the fields of its trace lines,
-- in network byte order. A trace has no payloads, only their lengths and digests.

local wristwire = Proto("wristwire", "Wristwire frame")

local nodes = { [0] = "watch", [1] = "phone", [2] = "edge", [255] = "other" }
local kinds = { [0] = "data", [1] = "ack", [2] = "hello", [3] = "reply", [4] = "chunk", [255] = "other" }
local channels = {
  [0] = "message", [1] = "applicationContext", [2] = "userInfo", [3] = "file", [4] = "http", [255] = "other",
}

local f = wristwire.fields
f.from = ProtoField.uint8("wristwire.from", "From", base.DEC, nodes)
f.to = ProtoField.uint8("wristwire.to", "To", base.DEC, nodes)
f.kind = ProtoField.uint8("wristwire.kind", "Kind", base.DEC, kinds)
f.channel = ProtoField.uint8("wristwire.channel", "Channel", base.DEC, channels)
f.id = ProtoField.uint64("wristwire.id", "Frame")
f.epoch = ProtoField.uint64("wristwire.epoch", "Epoch")
f.seq = ProtoField.uint64("wristwire.seq", "Sequence number")
f.bytes = ProtoField.uint64("wristwire.bytes", "Payload bytes")
f.digest = ProtoField.uint64("wristwire.digest", "Payload digest", base.HEX)
f.attempt = ProtoField.uint64("wristwire.attempt", "Attempt")
f.offset = ProtoField.uint64("wristwire.offset", "Offset in the file")
f.line = ProtoField.uint64("wristwire.line", "Line in the trace")
f.transfer = ProtoField.guid("wristwire.transfer", "Transfer")
f.fate = ProtoField.none("wristwire.fate", "Fate")
f.copy = ProtoField.uint16("wristwire.fate.copy", "Copy")
f.after = ProtoField.uint64("wristwire.fate.after", "Nanoseconds after the sending")
f.fateline = ProtoField.uint64("wristwire.fate.line", "Line in the trace")
f.delivered = ProtoField.bool("wristwire.delivered", "Delivered")
f.cause = ProtoField.string("wristwire.cause", "Dropped because of")
f.fault = ProtoField.string("wristwire.fault", "Fault")

local lost = ProtoExpert.new("wristwire.lost", "A copy never arrived", expert.group.SEQUENCE, expert.severity.WARN)
wristwire.experts = { lost }

local head = 90

function wristwire.dissector(buffer, pinfo, root)
  local size = buffer:captured_len()
  if size < head or buffer(0, 4):string() ~= "WWF1" then return 0 end
  local from, to = nodes[buffer(4, 1):uint()] or "other", nodes[buffer(5, 1):uint()] or "other"
  local kind, channel = kinds[buffer(6, 1):uint()] or "other", channels[buffer(7, 1):uint()] or "other"
  local seq, attempt = buffer(24, 8):uint64(), buffer(48, 8):uint64()
  local tree = root:add(wristwire, buffer(0, size))
  tree:add(f.from, buffer(4, 1))
  tree:add(f.to, buffer(5, 1))
  tree:add(f.kind, buffer(6, 1))
  tree:add(f.channel, buffer(7, 1))
  tree:add(f.id, buffer(8, 8))
  tree:add(f.epoch, buffer(16, 8))
  tree:add(f.seq, buffer(24, 8))
  tree:add(f.bytes, buffer(32, 8))
  tree:add(f.digest, buffer(40, 8))
  tree:add(f.attempt, buffer(48, 8))
  if kind == "chunk" then tree:add(f.offset, buffer(56, 8)) end
  tree:add(f.line, buffer(64, 8))
  if buffer(72, 8):uint64() ~= UInt64(0) or buffer(80, 8):uint64() ~= UInt64(0) then
    tree:add(f.transfer, buffer(72, 16))
  end

  local arrived, dropped, at = 0, {}, head
  for _ = 1, buffer(88, 2):uint() do
    if at + 20 > size then break end
    local first = at
    local causeLength = buffer(at + 18, 1):uint()
    if at + 20 + causeLength > size then break end
    local faultLength = buffer(at + 19 + causeLength, 1):uint()
    local length = 20 + causeLength + faultLength
    if first + length > size then break end
    local fate = tree:add(f.fate, buffer(first, length))
    fate:add(f.copy, buffer(at, 2))
    fate:add(f.after, buffer(at + 2, 8))
    fate:add(f.fateline, buffer(at + 10, 8))
    fate:add(f.delivered, buffer(at + 18, 1), causeLength == 0)
    if causeLength > 0 then
      local cause = buffer(at + 19, causeLength)
      fate:add(f.cause, cause)
      fate:set_text("Fate: dropped: " .. cause:string())
      fate:add_proto_expert_info(lost)
      dropped[#dropped + 1] = cause:string()
    else
      fate:set_text("Fate: delivered")
      arrived = arrived + 1
    end
    if faultLength > 0 then fate:add(f.fault, buffer(at + 20 + causeLength, faultLength)) end
    at = first + length
  end

  pinfo.cols.protocol = "WRISTWIRE"
  pinfo.cols.src = from
  pinfo.cols.dst = to
  local info = string.format("%s %s %s", kind, channel, tostring(seq))
  if attempt > UInt64(1) then info = info .. string.format(" attempt %s", tostring(attempt)) end
  if #dropped > 0 then info = info .. " LOST: " .. table.concat(dropped, ", ") end
  if arrived > 1 then info = info .. string.format(" (%d copies arrived)", arrived) end
  pinfo.cols.info = info
  return size
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, wristwire)
