import { Download, Upload } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { largestUpload } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { bytesText } from '../../../../ui/text/number.ts'
import { saveFile } from '../../../../ui/save-file.ts'
import { bytesOf, hexOf, hexRows, imageKind } from './bytea.ts'

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
