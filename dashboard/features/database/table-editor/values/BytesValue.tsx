import { Download, Upload } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { largestUpload } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { bytesText } from '../../../../ui/text/number.ts'
import { saveFile } from '../../../../ui/save-file.ts'

type Props = {
  text: string | null
  /** What a file of it is called, without its ending. */
  name: string
  disabled: boolean
  onText: (text: string) => void
}

/** Bytes that are shown as digits; nobody reads more. */
const maxShown = 512

/** The bytes of a cell as what they are: an image, or their first digits; from a file and into one. */
export function BytesValue({ text, name, disabled, onText }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const bytes = useMemo(() => (text === null ? undefined : bytesOf(text)), [text])
  const image = bytes && imageKind(bytes)

  async function upload(file: File | undefined) {
    if (!file) return
    if (file.size > largestUpload)
      return setProblem(
        `${file.name} has ${bytesText(file.size)}, and a cell takes files of at most ${bytesText(largestUpload)}. Keep larger files in storage.`,
      )
    try {
      onText(hexOf(new Uint8Array(await file.arrayBuffer())))
      setProblem(undefined)
    } catch {
      setProblem(`${file.name} could not be read. Choose it again`)
    }
    return undefined
  }
  return (
    <div className="bytes-value">
      <div className="row">
        {!disabled && (
          <Button icon={Upload} onClick={() => picker.current?.click()}>
            Upload a file
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="File for this cell"
          onChange={({ currentTarget }) => {
            void upload(currentTarget.files?.[0])
            // The same file can be chosen again.
            currentTarget.value = ''
          }}
        />
        <Button
          icon={Download}
          disabledReason={!bytes && 'There are no bytes to download'}
          onClick={() =>
            bytes &&
            saveFile(
              `${name}.${image?.ending ?? 'bin'}`,
              new Blob([bytes]),
              image?.type ?? 'application/octet-stream',
            )
          }
        >
          Download
        </Button>
        {bytes && <span className="muted t12">{bytesText(bytes.length)}</span>}
      </div>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
      {bytes && image ? (
        <img
          alt={`Preview of ${name}`}
          ref={(shown) => {
            if (!shown) return undefined
            const url = URL.createObjectURL(new Blob([bytes], { type: image.type }))
            shown.src = url
            return () => URL.revokeObjectURL(url)
          }}
        />
      ) : (
        bytes && (
          <section aria-label="First bytes">
            <pre className="mono t12">
              {hexRows(bytes, maxShown).join('\n')}
              {bytes.length > maxShown && `\nand ${bytesText(bytes.length - maxShown)} more`}
            </pre>
          </section>
        )
      )}
      {text === null && <p className="muted">NULL</p>}
    </div>
  )
}

/** Two digits for each byte. */
const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as Postgres prints them: `\x00ff`. */
export function hexOf(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += 8_192)
    parts.push(Array.from(bytes.subarray(from, from + 8_192), (byte) => pairs[byte]).join(''))
  return `\\x${parts.join('')}`
}

/** Undefined for a text that is not in this form; what somebody types may be in another one. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.slice(2)
  if (!text.startsWith('\\x') || digits.length % 2 > 0 || /[^\da-f]/i.test(digits)) return undefined
  const bytes = new Uint8Array(digits.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
  return bytes
}

const images: { type: string; ending: string; begins: RegExp }[] = [
  { type: 'image/png', ending: 'png', begins: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', ending: 'jpg', begins: /^ffd8ff/ },
  { type: 'image/gif', ending: 'gif', begins: /^47494638(?:37|39)61/ },
  { type: 'image/webp', ending: 'webp', begins: /^52494646.{8}57454250/ },
  { type: 'image/avif', ending: 'avif', begins: /^.{8}66747970617669(?:66|73)/ },
  { type: 'image/bmp', ending: 'bmp', begins: /^424d.{8}00000000/ },
]

/** What kind of image it is, by how it begins; undefined when it is none that browsers show. */
export function imageKind(bytes: Uint8Array): { type: string; ending: string } | undefined {
  const begin = hexOf(bytes.subarray(0, 16)).slice(2)
  const found = images.find(({ begins }) => begins.test(begin))
  return found && { type: found.type, ending: found.ending }
}

const width = 16

/** The first bytes in rows of 16: where they stand, their digits, and what they are as text. */
export function hexRows(bytes: Uint8Array, max: number): string[] {
  const shown = bytes.subarray(0, max)
  return Array.from({ length: Math.ceil(shown.length / width) }, (_, row) => {
    const part = Array.from(shown.subarray(row * width, (row + 1) * width))
    const digits = part.map((byte) => pairs[byte]).join(' ')
    const text = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.'))
    const place = (row * width).toString(16).padStart(6, '0')
    return `${place}  ${digits.padEnd(width * 3 - 1)}  ${text.join('')}`
  })
}
