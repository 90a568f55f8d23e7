import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { attachmentTypes } from '#contract/people/support'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Attachments } from './use-attachments.ts'

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
