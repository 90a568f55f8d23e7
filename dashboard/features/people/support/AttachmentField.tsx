import { Paperclip, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { attachmentTypes, attachmentLimits } from '#contract/people/support'
import { support } from '#contract/people/support'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { call, messageOf } from '../../../api/client.ts'

const kilobytes = (size: number) => `${Math.max(1, Math.round(size / 1024))} kB`

/** Chooses files and shows those that were sent. */
export function AttachmentField({ attachments }: { attachments: Attachments }) {
  const input = useRef<HTMLInputElement>(null)
  const { files, error, busy, full } = attachments
  return (
    <div className="support-files">
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        accept={attachmentTypes.join(',')}
        onChange={(event) => {
          void attachments.add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button
        size="form"
        icon={Paperclip}
        busy={busy}
        disabledReason={full ? 'You can attach up to five files' : undefined}
        onClick={() => input.current?.click()}
      >
        Attach files
      </Button>
      <span className="help">Images, PDF or text, 2 MB each, up to five.</span>
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={file.id}>
              <span className="ell">{file.name}</span>
              <span className="faint">{kilobytes(file.size)}</span>
              <IconButton
                icon={X}
                label={`Remove ${file.name}`}
                onClick={() => attachments.remove(file.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {error && <Alert variant="danger" title={error} />}
    </div>
  )
}

/** The bytes of a file as base64, without the prefix that browsers put before it. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = typeof reader.result === 'string' ? reader.result : ''
      resolve(text.slice(text.indexOf(',') + 1))
    })
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error('The file cannot be read')),
    )
    reader.readAsDataURL(file)
  })
}

export type Attached = { id: string; name: string; size: number }

/** The files of a request: each is sent when it is chosen, so that the request itself is quick. */
export function useAttachments() {
  const [files, setFiles] = useState<readonly Attached[]>([])
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState(0)

  async function addOne(file: File): Promise<void> {
    if (file.size > attachmentLimits.bytes) {
      return setError(`${file.name} is larger than 2 MB`)
    }
    setPending((n) => n + 1)
    try {
      const { id, size } = await call(support.attach, {
        name: file.name,
        base64: await base64Of(file),
      })
      setFiles((before) => [...before, { id, name: file.name, size }])
    } catch (cause) {
      setError(`${file.name}: ${messageOf(cause)}`)
    } finally {
      setPending((n) => n - 1)
    }
  }

  return {
    files,
    error,
    busy: pending > 0,
    full: files.length + pending >= attachmentLimits.files,
    async add(chosen: readonly File[]): Promise<void> {
      setError(undefined)
      const room = attachmentLimits.files - files.length - pending
      if (chosen.length > room) setError(`At most ${attachmentLimits.files} files can be attached`)
      await Promise.all(chosen.slice(0, room).map(addOne))
    },
    remove: (id: string) => setFiles((before) => before.filter((file) => file.id !== id)),
    clear: () => setFiles([]),
  }
}
type Attachments = ReturnType<typeof useAttachments>
