import { useQuery } from '@tanstack/react-query'
import { KeyRound, Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../../../../api/client.ts'
import {
  generateRecoveryCodes,
  recoveryCodesQuery,
} from '../../../../session/identity/recovery-codes.ts'
import { Ago } from '../../../../ui/text/Time.tsx'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { authReads } from '../queries.ts'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { saveFile } from '../../../../ui/save-file.ts'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'

/** With so few left it is time for new ones. */
const few = 3

/** What lets somebody in who has lost their authenticator app; shown once there is an app to lose. */
export function RecoveryCodesCard() {
  const query = useQuery(recoveryCodesQuery)
  const { data: set, error, refetch } = query
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const generate = useChange(generateRecoveryCodes, {
    changes: [authReads.recoveryCodes],
    onSuccess: (made) => {
      setAsking(false)
      setCodes(made)
    },
  })
  const has = set !== undefined && set.total > 0
  return (
    <Card
      title="Recovery codes"
      padded={false}
      end={
        <Button
          icon={KeyRound}
          busy={generate.isPending}
          disabled={!set}
          onClick={() =>
            has
              ? setAsking(true)
              : generate.mutate(undefined, { onError: ({ message }) => void toast.error(message) })
          }
        >
          {has ? 'Generate new codes' : 'Generate codes'}
        </Button>
      }
    >
      {has && set.remaining <= few && (
        <div className="pad-x">
          <Alert variant="warning" title={leftText(set.remaining)}>
            Generate new codes before you need one.
          </Alert>
        </div>
      )}
      {error && !set ? (
        <ErrorNote what="recovery codes" error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="set-row">
          <Icon of={KeyRound} size="s" />
          <div className="grow">
            {!set && <Skeleton width={160} />}
            {set && (
              <span className="med">
                {has ? `${set.remaining} of ${set.total} codes left` : 'No recovery codes yet'}
              </span>
            )}
            <p>
              {has && set.created_at ? (
                <>
                  Generated <Ago at={set.created_at} />
                  {set.last_used_at && (
                    <>
                      {' · '}last used <Ago at={set.last_used_at} />
                    </>
                  )}
                </>
              ) : (
                'If you lose your app, each code lets you in once.'
              )}
            </p>
          </div>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          generate.reset()
        }}
        title="Replace your recovery codes?"
        verb="Generate new codes"
        error={generate.error?.message}
        pending={generate.isPending}
        onConfirm={() => generate.mutate()}
      >
        <p>The codes that you have saved stop working immediately.</p>
      </ConfirmDialog>
      {codes && <CodesShown codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  )
}

const leftText = (remaining: number) =>
  remaining === 0
    ? 'You have used all your recovery codes'
    : `Only ${remaining} recovery ${remaining === 1 ? 'code is' : 'codes are'} left`

type Props = { codes: readonly string[]; onClose: () => void }

/** The one time that recovery codes are shown. */
function CodesShown({ codes, onClose }: Props) {
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
