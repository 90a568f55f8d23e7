import type { Upload } from 'tus-js-client'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { maxUploads, storage } from '#contract/storage/storage'
import { call, messageOf, forget } from '../../../../api/client.ts'
import { ofFiles } from '../queries.ts'

export type UploadState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
export type FileUpload = {
  id: number
  ref: string
  bucket: string
  path: string
  file: File
  /** Bytes that have arrived. */
  sent: number
  state: UploadState
  problem: string | undefined
  /** There is a file of this name: it can be replaced. */
  isTaken: boolean
}
/** `renamedFrom`: what it is called where it comes from, when a key cannot be called so. */
export type NewUpload = { path: string; file: File; renamedFrom?: string }

/** Files at a time: more do not make a line any faster. */
const beside = 3
/** Milliseconds after which a token is asked for anew; it is good for two hours. */
const tokenLife = 90 * 60_000
/** Bytes of one request. */
const piece = 16 * 1024 * 1024

/** The uploads of this page; they go on whatever is opened meanwhile, until it is left. */
export const useUploads = create<{ uploads: readonly FileUpload[] }>()(() => ({ uploads: [] }))

type Ticket = { url: string; token: string; at: number; upsert: boolean }
const tickets = new Map<number, Ticket>()
const running = new Map<number, Upload>()
let last = 0

const find = (id: number) => useUploads.getState().uploads.find((one) => one.id === id)
const set = (id: number, part: Partial<FileUpload>) =>
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.map((one) => (one.id === id ? { ...one, ...part } : one)),
  }))

/** Puts files into the queue, and begins. */
export async function addUploads(
  ref: string,
  bucket: string,
  files: readonly NewUpload[],
): Promise<void> {
  const added = files.map(({ path, file }): FileUpload => ({
    id: (last += 1),
    ref,
    bucket,
    path,
    file,
    sent: 0,
    state: 'waiting',
    problem: undefined,
    isTaken: false,
  }))
  useUploads.setState(({ uploads }) => ({ uploads: [...uploads, ...added] }))
  for (let start = 0; start < added.length; start += maxUploads)
    await admit(added.slice(start, start + maxUploads), false)
}

/** Asks for the tokens of uploads to one bucket; those that may not be are told why. */
async function admit(uploads: readonly FileUpload[], upsert: boolean): Promise<void> {
  const [first] = uploads
  if (!first) return
  try {
    const { ref, bucket } = first
    const paths = uploads.map(({ path }) => path)
    const answer = await call(storage.uploads, { ref, id: bucket, paths, upsert })
    uploads.forEach(({ id }, at) => {
      const { token, error } = answer.uploads[at] ?? { token: null, error: null }
      if (token) tickets.set(id, { url: answer.url, token, at: Date.now(), upsert })
      else
        set(id, { state: 'failed', problem: error?.message, isTaken: error?.code === 'name_taken' })
    })
  } catch (error) {
    for (const { id } of uploads) set(id, { state: 'failed', problem: messageOf(error) })
  }
  next()
}

const countOf = (state: UploadState) =>
  useUploads.getState().uploads.filter((one) => one.state === state).length

/** Begins what waits, as far as there is room. */
function next(): void {
  let room = beside - countOf('running')
  for (const upload of useUploads.getState().uploads) {
    if (room <= 0) return
    const ticket = tickets.get(upload.id)
    if (upload.state !== 'waiting' || !ticket) continue
    room -= 1
    // Before anybody sees that it began: the page may be left at any moment from then on.
    rememberInterrupted(upload)
    set(upload.id, { state: 'running' })
    void begin(upload, ticket)
  }
}

async function begin(upload: FileUpload, ticket: Ticket): Promise<void> {
  const { id } = upload
  // It may be cancelled, and even begin again, while this one is still being prepared.
  const isCurrent = () => find(id)?.state === 'running' && tickets.get(id) === ticket
  try {
    const sending = await prepare(upload, ticket)
    if (!isCurrent()) return
    running.set(id, sending)
    sending.start()
  } catch (error) {
    if (isCurrent()) end(id, { state: 'failed', problem: messageOf(error) })
  }
}

/** What sends this file, from where an earlier attempt was cut off. */
async function prepare(upload: FileUpload, ticket: Ticket): Promise<Upload> {
  const { id, bucket, path, file } = upload
  // Most who look at files send none.
  const tus = await import('tus-js-client')
  const sending = new tus.Upload(file, {
    endpoint: ticket.url,
    chunkSize: piece,
    retryDelays: [0, 1000, 3000, 5000, 10_000, 20_000],
    metadata: {
      bucketName: bucket,
      objectName: path,
      contentType: file.type || 'application/octet-stream',
      cacheControl: '3600',
    },
    fingerprint: () => Promise.resolve(fingerprintOf(upload)),
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      request.setHeader('x-signature', await freshToken(upload))
    },
    onProgress: (sent) => set(id, { sent }),
    onSuccess: () => end(id, { state: 'done', sent: file.size }),
    onError: (error) => end(id, { state: 'failed', problem: problemOf(error) }),
  })
  const [earlier] = await sending.findPreviousUploads()
  if (earlier && !ticket.upsert) sending.resumeFromPreviousUpload(earlier)
  return sending
}

/** A long upload outlives its token. */
async function freshToken({ id, ref, bucket, path }: FileUpload): Promise<string> {
  const ticket = tickets.get(id)
  if (!ticket) throw new Error('An upload that was not admitted has begun')
  if (Date.now() - ticket.at < tokenLife) return ticket.token
  const input = { ref, id: bucket, paths: [path], upsert: ticket.upsert }
  const { uploads } = await call(storage.uploads, input)
  const token = uploads[0]?.token
  if (!token) throw new Error(uploads[0]?.error?.message ?? 'The upload is no longer allowed')
  tickets.set(id, { ...ticket, token, at: Date.now() })
  return token
}

function problemOf(error: Error): string {
  const answer =
    'originalResponse' in error ? (error.originalResponse as { getBody(): string } | null) : null
  return answer?.getBody() || 'The connection was lost'
}

function end(id: number, how: Partial<FileUpload>): void {
  const upload = find(id)
  running.delete(id)
  if (upload && how.state === 'done') forgetInterrupted(upload)
  set(id, how)
  next()
  // One look at the folder for all that end together is enough.
  if (countOf('running') === 0 || how.state === 'done') lookSoon()
}

let looking: number | undefined
function lookSoon(): void {
  looking ??= window.setTimeout(() => {
    looking = undefined
    void forget(...ofFiles)
  }, 500)
}

/** What has arrived of it is thrown away. */
export async function cancelUpload(id: number): Promise<void> {
  const upload = find(id)
  const sending = running.get(id)
  running.delete(id)
  if (upload) forgetInterrupted(upload)
  set(id, { state: 'cancelled' })
  next()
  // The server removes by itself what nobody goes on with.
  await sending?.abort(true).catch(() => sending.abort())
}

export async function retryUpload(id: number, replace = false): Promise<void> {
  const upload = find(id)
  if (!upload) return
  set(id, { state: 'waiting', problem: undefined, isTaken: false })
  await admit([upload], replace)
}

/** Takes away what has ended. */
export const clearUploads = () =>
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.filter(({ state }) => state === 'waiting' || state === 'running'),
  }))

/** An upload that began in this browser and has not ended: with the same file it goes on where it was. */
export type Interrupted = {
  ref: string
  bucket: string
  path: string
  size: number
  modified: number
  at: number
}
type Sent = { ref: string; bucket: string; path: string; file: File }

/** Milliseconds that the server keeps the beginning of a file. */
const life = 24 * 3_600_000
/** As many are remembered at most. */
const max = 200

export const useInterrupted = create<{ list: readonly Interrupted[] }>()(
  persist((): { list: readonly Interrupted[] } => ({ list: [] }), {
    name: 'plinth.storage-uploads',
  }),
)

/** Which upload goes on with which file. */
const fingerprintOf = ({ ref, bucket, path, file }: Sent) =>
  ['plinth', ref, bucket, path, file.size, file.lastModified].join('/')

const isSame = (one: Pick<Interrupted, 'ref' | 'bucket' | 'path'>, other: typeof one) =>
  one.ref === other.ref && one.bucket === other.bucket && one.path === other.path

function rememberInterrupted({ ref, bucket, path, file }: Sent): void {
  const now = Date.now()
  const { size, lastModified: modified } = file
  useInterrupted.setState(({ list }) => ({
    list: [
      { ref, bucket, path, size, modified, at: now },
      ...list.filter((one) => !isSame(one, { ref, bucket, path }) && now - one.at < life),
    ].slice(0, max),
  }))
}

export const forgetInterrupted = (of: Pick<Interrupted, 'ref' | 'bucket' | 'path'>) =>
  useInterrupted.setState(({ list }) => ({ list: list.filter((one) => !isSame(one, of)) }))

/** Whether this is the file that was being sent. */
export const isFileOf = ({ size, modified }: Interrupted, file: File) =>
  file.size === size && file.lastModified === modified
