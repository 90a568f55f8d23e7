import { Check, Copy, Download } from 'lucide-react'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { saveFile } from '../../../../ui/save-file.ts'
import { useCopy } from '../../../../ui/controls/use-copy.ts'

type Props = { codes: readonly string[]; onClose: () => void }

/** The one time that recovery codes are shown. */
export function CodesShown({ codes, onClose }: Props) {
  const { copied, copy } = useCopy()
  const text = codes.join('\n')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your recovery codes"
      footer={
        <>
          <Button
            size="form"
            icon={Download}
            onClick={() => saveFile('plinth-recovery-codes.txt', fileOf(text), 'text/plain')}
          >
            Download
          </Button>
          <Button size="form" icon={copied ? Check : Copy} onClick={() => void copy(text)}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="form-stack">
        <Alert variant="warning" title="Save them now">
          You will not see them again. Keep them away from your authenticator app.
        </Alert>
        <ul className="well recovery-codes mono" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

/** Who finds the file a year later should know what it is. */
const fileOf = (codes: string) =>
  `Recovery codes for ${location.host}\nEach lets you in once, in place of a code of your authenticator app.\n\n${codes}\n`
