import { useState } from 'react'
import { storageKeys } from '#contract/storage/storage-keys'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { forgetS3Keys } from './queries.ts'

/** Makes an access key, and shows its secret this once. */
export function NewS3KeyDialog({
  projectRef,
  onClose,
}: {
  projectRef: string
  onClose: () => void
}) {
  const [description, setDescription] = useState('')
  const [tried, setTried] = useState(false)
  const create = useCall(storageKeys.create, { onSuccess: () => forgetS3Keys() })
  const name = description.trim()
  if (create.data)
    return (
      <Dialog
        open
        title="Access key created"
        onClose={onClose}
        footer={
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <div className="form-stack">
          <Alert variant="warning" title="The secret is shown only once">
            Store it where only your servers can read it.
          </Alert>
          <CopyText label="Access key ID" text={create.data.access_key} what="access key ID" />
          <CopyText label="Secret" text={create.data.secret_key} what="secret access key" />
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title="New access key"
      verb="Create access key"
      pending={create.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (name !== '') create.mutate({ ref: projectRef, description: name })
      }}
    >
      <div className="form-stack">
        <TextField
          label="Description"
          autoComplete="off"
          maxLength={100}
          help="What uses it, such as the nightly backup."
          error={tried && name === '' ? 'It needs a description' : undefined}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        {create.error && <Alert variant="danger" title={create.error.message} />}
      </div>
    </FormDialog>
  )
}
