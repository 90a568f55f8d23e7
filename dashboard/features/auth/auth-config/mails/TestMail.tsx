import type { ReactNode } from 'react'
import { authConfig } from '#contract/auth/auth-config'
import type { TestMail } from '#contract/auth/auth-test-mail'
import type { Output } from '#contract/endpoint'
import { useCall } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { toast } from '../../../../ui/floats/toast.ts'

type Result = Output<typeof authConfig.testMail>

const senders: Record<Result['way'], string> = {
  own: 'Your mail server',
  platform: 'The mail server of this platform',
  mailbox: 'The local mailbox',
}
const taken = ({ way, recipient }: Result) => `${senders[way]} took the mail to ${recipient}`

/** A mail to the reader's own address, and what became of it. */
function useTestMail(projectRef: string, mail: TestMail) {
  const reason = useDenials(useProject(projectRef))(authConfig.testMail)
  const { mutate, data, error, isPending } = useCall(authConfig.testMail)
  return {
    reason,
    data,
    error,
    pending: isPending,
    send: (onTold?: (result: Result) => void) =>
      mutate({ ref: projectRef, ...mail }, onTold ? { onSuccess: onTold } : {}),
  }
}

type ButtonProps = { projectRef: string; mail: TestMail; children: string }

/** Sends what is written, saved or not; says in a toast what became of it. */
export function TestMailButton({ projectRef, mail, children }: ButtonProps) {
  const test = useTestMail(projectRef, mail)
  const notify = (result: Result) => {
    if (result.refusal === null) toast.success(taken(result))
    else toast.error(`${senders[result.way]} rejected the email`, { description: result.refusal })
  }
  return (
    <>
      <Button
        size="form"
        busy={test.pending}
        disabledReason={test.reason}
        onClick={() => test.send(notify)}
      >
        {children}
      </Button>
      {test.error && (
        <span className="err" role="alert">
          {test.error.message}
        </span>
      )}
    </>
  )
}

type Props = {
  projectRef: string
  /** The form beside it holds changes: what is saved would be tried and not what is seen. */
  unsaved: boolean
}

/** Tries the mail settings that are saved, and shows what the mail server said, word for word. */
export function TestMailCheck({ projectRef, unsaved }: Props) {
  const test = useTestMail(projectRef, {})
  const { data, error } = test
  return (
    <div className="form-stack">
      <div className="row">
        <p className="grow muted">Sends an email to your own address with the saved settings.</p>
        <Button
          busy={test.pending}
          disabledReason={unsaved ? 'Save first' : test.reason}
          onClick={() => test.send()}
        >
          Send test mail
        </Button>
      </div>
      {error && <Alert variant="danger" title={error.message} />}
      {data?.refusal === null && <Alert variant="success" title={taken(data)} />}
      {data && data.refusal !== null && (
        <Alert
          variant="danger"
          title={`${senders[data.way]} rejected the email`}
          action={<CopyButton text={data.refusal} what="answer" />}
        >
          <Words>{data.refusal}</Words>
        </Alert>
      )}
    </div>
  )
}

const Words = ({ children }: { children: ReactNode }) => <span className="mono">{children}</span>
