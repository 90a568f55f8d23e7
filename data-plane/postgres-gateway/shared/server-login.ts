import { randomBytes } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import { withOwnSocket } from '#kit/postgres/own-socket'
import { proofOf, serverSignatureOf, type ScramKeys } from '#kit/postgres/scram-keys'
import { notRunning, type Refusal } from '../refusals.ts'
import { createDialog, type Dialog } from './dialog.ts'
import { cancelRequest, fieldsOf, message, startup, type CancelKey } from './messages.ts'

/** The server does not let us in; in its own words, where it had some. */
export class LoginError extends Error {
  override name = 'LoginError'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** A connection that the server has let in, and that waits for its first query. */
export type ServerSession = {
  socket: Socket
  key: CancelKey
  parameters: Map<string, string>
  /** Notices that came meanwhile. */
  notices: Buffer[]
}

const openMs = 10_000
const longest = 1 << 20

const connect = (socketPath: string): Promise<Socket> =>
  // What clients send is theirs to choose: it goes to the server of the project and to nothing else.
  withOwnSocket(
    socketPath,
    (path) =>
      new Promise<Socket>((resolve, reject) => {
        const socket = createConnection({ path, allowHalfOpen: true })
        socket.once('error', reject)
        socket.once('connect', () => {
          socket.off('error', reject)
          // Whatever breaks it off closes it, and that is what is listened to.
          socket.on('error', () => socket.destroy())
          resolve(socket)
        })
      }),
  )

/**
 * Opens a connection to the server in the name of whoever has signed in here, by the keys that they have shown to have.
 * @throws LoginError
 */
export async function openServer(
  socketPath: string,
  parameters: Iterable<readonly [string, string]>,
  keys: ScramKeys,
): Promise<ServerSession> {
  const socket = await connect(socketPath).catch(() => undefined)
  if (!socket) throw new LoginError(notRunning)
  const dialog = createDialog(socket, openMs)
  try {
    socket.write(startup(parameters))
    const session = await signIn(dialog, socket, keys)
    dialog.leave()
    if (dialog.rest().length > 0) throw new LoginError(notRunning)
    return session
  } catch (error) {
    dialog.leave()
    socket.destroy()
    throw error instanceof LoginError ? error : new LoginError(notRunning)
  }
}

async function signIn(dialog: Dialog, socket: Socket, keys: ScramKeys): Promise<ServerSession> {
  const session: ServerSession = {
    socket,
    key: { processId: 0, secret: 0 },
    parameters: new Map(),
    notices: [],
  }
  let proof: ReturnType<typeof proofFor> | undefined
  for (;;) {
    const { kind, body, whole } = await dialog.next(longest)
    if (kind === 'Z') return session
    if (kind === 'E') throw new LoginError(refusalOf(body))
    if (kind === 'N') session.notices.push(Buffer.from(whole))
    if (kind === 'K') session.key = { processId: body.readInt32BE(0), secret: body.readInt32BE(4) }
    if (kind === 'S') {
      const [name = '', value = ''] = body.toString('utf8').split('\0')
      session.parameters.set(name, value)
    }
    if (kind !== 'R') continue
    const code = body.readUInt32BE(0)
    if (code === 10) {
      proof = proofFor(keys)
      socket.write(proof.initial)
    } else if (code === 11 && proof) socket.write(proof.answer(body.toString('utf8', 4)))
    else if (code === 12 && proof) proof.check(body.toString('utf8', 4))
    else if (code !== 0) throw new LoginError(otherPassword)
  }
}

/** The password was stored in another way after whoever signed in did. */
const otherPassword: Refusal = {
  code: '28P01',
  message: 'the server asks for the password in a way that is not SCRAM-SHA-256',
}

/** A SCRAM client that knows the keys and no password. */
function proofFor(keys: ScramKeys) {
  const bare = `n=,r=${randomBytes(18).toString('base64')}`
  const first = Buffer.from(`n,,${bare}`)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(first.length)
  let authMessage = ''
  return {
    initial: message('p', Buffer.concat([Buffer.from('SCRAM-SHA-256\0'), length, first])),
    answer(serverFirst: string): Buffer {
      const nonce = /^r=([^,]+),/.exec(serverFirst)?.[1] ?? ''
      const withoutProof = `c=biws,r=${nonce}`
      authMessage = `${bare},${serverFirst},${withoutProof}`
      const proof = proofOf(keys, authMessage).toString('base64')
      return message('p', Buffer.from(`${withoutProof},p=${proof}`))
    },
    check(serverFinal: string): void {
      const expected = serverSignatureOf(keys, authMessage).toString('base64')
      if (serverFinal !== `v=${expected}`) throw new LoginError(notRunning)
    },
  }
}

export function refusalOf(body: Buffer): Refusal {
  const fields = fieldsOf(body)
  const hint = fields.get('H')
  return {
    code: fields.get('C') ?? 'XX000',
    message: fields.get('M') ?? 'the server refused',
    ...(hint !== undefined && { hint }),
  }
}

const cancelMs = 10_000

/** Hands over a request to cancel what runs on a connection. Resolves once the server has done so; never rejects. */
export async function cancelAt(socketPath: string, key: CancelKey): Promise<void> {
  // Without a server there is nothing to cancel, and this protocol has no answer to say so.
  const socket = await connect(socketPath).catch(() => undefined)
  if (!socket) return
  socket.write(cancelRequest(key))
  socket.resume()
  socket.setTimeout(cancelMs, () => socket.destroy())
  socket.once('end', () => socket.destroy())
  await new Promise((resolve) => socket.once('close', resolve))
}
