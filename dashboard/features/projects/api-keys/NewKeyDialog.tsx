import { useForm } from 'react-hook-form'
import { apiKeys, type ApiKeyType } from '#contract/projects/api-keys'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { KeyFields, type KeyValues } from './KeyFields.tsx'
import { forgetKeys } from './queries.ts'

type Props = { projectRef: string; type: ApiKeyType; onClose: () => void }

/** Name and description of a new key, then the key itself. */
export function NewKeyDialog({ projectRef, type, onClose }: Props) {
  const { register, handleSubmit, formState } = useForm<KeyValues>({
    defaultValues: { name: '', description: '' },
  })
  const create = useCall(apiKeys.create, { onSuccess: () => void forgetKeys() })
  if (create.data) return <KeyShown type={type} text={create.data.api_key} onClose={onClose} />
  return (
    <FormDialog
      title={`New ${type} key`}
      verb="Create key"
      pending={create.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(({ name, description }) =>
        create.mutate({ ref: projectRef, type, name: name.trim(), description }),
      )}
    >
      <div className="form-stack">
        <KeyFields register={register} errors={formState.errors} />
        <p className="help">
          {type === 'secret'
            ? 'For your servers only: it acts as the role service_role, which bypasses every policy.'
            : 'For pages and apps: it acts as the role anon until someone signs in, and row level security decides what it sees.'}
        </p>
        {create.error && <Alert variant="danger" title={create.error.message} />}
      </div>
    </FormDialog>
  )
}

type ShownProps = { type: ApiKeyType; text: string; onClose: () => void }

const KeyShown = ({ type, text, onClose }: ShownProps) => (
  <Dialog
    open
    onClose={onClose}
    title={`Your new ${type} key`}
    footer={
      <Button size="form" variant="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <div className="form-stack">
      <CopyText text={text} what={`${type} key`} />
      {type === 'secret' && (
        <Alert variant="warning" title="Keep it on your servers">
          Never put it into a page, an app or a repository: anyone who has it can read and change
          everything. Requests from browsers with it are refused.
        </Alert>
      )}
    </div>
  </Dialog>
)
