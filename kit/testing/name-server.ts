import { createSocket } from 'node:dgram'

type Records = { A?: string; CNAME?: string; TXT?: string[] }
const types = { A: 1, CNAME: 5, TXT: 16 } as const
const noSuchName = 3
const serverFailure = 2

/** A name as it stands in a message: each label behind its length. */
const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

/** Texts have 255 bytes at most each, so a longer one is several. */
const textBytes = (text: string) =>
  Buffer.concat(
    (text.match(/[\s\S]{1,255}/g) ?? ['']).map((part) =>
      Buffer.from([part.length, ...Buffer.from(part)]),
    ),
  )

const record = (type: number, data: Buffer) => {
  const head = Buffer.alloc(12)
  // The name is that of the question, which begins at byte 12.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A name server on 127.0.0.1 that knows the names in `records`, which a test changes as it goes. */
export async function startNameServer() {
  const records = new Map<string, Records>()
  const state = { fails: false, asked: 0 }
  const socket = createSocket('udp4')

  function answersTo(name: string, type: number): { code: number; answers: Buffer[] } {
    if (state.fails) return { code: serverFailure, answers: [] }
    const found = records.get(name)
    if (!found) return { code: noSuchName, answers: [] }
    const { A: address, CNAME: target, TXT: texts = [] } = found
    if (type === types.A && address !== undefined)
      return { code: 0, answers: [record(type, Buffer.from(address.split('.').map(Number)))] }
    if (type === types.CNAME && target !== undefined)
      return { code: 0, answers: [record(type, nameBytes(target))] }
    if (type === types.TXT)
      return { code: 0, answers: texts.map((text) => record(type, textBytes(text))) }
    return { code: 0, answers: [] }
  }

  socket.on('message', (message, { port, address }) => {
    state.asked += 1
    const { name, type, end } = question(message)
    const { code, answers } = answersTo(name, type)
    const head = Buffer.alloc(12)
    message.copy(head, 0, 0, 2)
    // An answer, recursion wanted and available.
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, message.subarray(12, end), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    /** As settings name it. */
    address: `127.0.0.1:${socket.address().port}`,
    /** By name, in lower case. */
    records,
    /** `fails`: it answers that it cannot tell. */
    state,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}
export type NameServer = Awaited<ReturnType<typeof startNameServer>>
