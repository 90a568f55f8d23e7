import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import type { DialogSize } from '../../../ui/floats/DialogBox.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import type { SidePanelSize } from '../../../ui/floats/SidePanelBox.tsx'
import { SplitDialog } from '../../../ui/floats/SplitDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

const dialogs: DialogSize[] = ['tiny', 'small', 'medium', 'large', 'xlarge', 'xxlarge', 'xxxlarge']
const panels: SidePanelSize[] = ['medium', 'large', 'xlarge', 'xxlarge', 'xxxlarge', 'xxxxlarge']

export function DialogSamples() {
  const [dialog, setDialog] = useState<DialogSize>()
  const [panel, setPanel] = useState<SidePanelSize>()
  const [asking, setAsking] = useState(false)
  const [split, setSplit] = useState(false)
  const [roomy, setRoomy] = useState(false)
  return (
    <>
      <div className="flow">
        {dialogs.map((size) => (
          <Button key={size} onClick={() => setDialog(size)}>
            Dialog {size}
          </Button>
        ))}
      </div>
      <div className="flow">
        {panels.map((size) => (
          <Button key={size} onClick={() => setPanel(size)}>
            Panel {size}
          </Button>
        ))}
        <Button onClick={() => setSplit(true)}>Dialog of two parts</Button>
        <Button onClick={() => setRoomy(true)}>Dialog, medium padding, no Close</Button>
        <Button variant="danger-quiet" onClick={() => setAsking(true)}>
          Delete table
        </Button>
      </div>
      <Dialog
        open={dialog !== undefined}
        onClose={() => setDialog(undefined)}
        title="A dialog"
        size={dialog ?? 'medium'}
        footer={<Button size="form">Save</Button>}
      >
        <p>This one is {dialog}.</p>
      </Dialog>
      <SidePanel
        open={panel !== undefined}
        onClose={() => setPanel(undefined)}
        title="New column"
        size={panel ?? 'medium'}
        footer={<Button size="form">Save</Button>}
      >
        <TextField label="Name" mono />
      </SidePanel>
      <Dialog
        open={roomy}
        onClose={() => setRoomy(false)}
        title="A roomy dialog"
        padding="medium"
        hideClose
        footer={
          <Button size="form" onClick={() => setRoomy(false)}>
            Cancel
          </Button>
        }
      >
        <p>Escape and Cancel close it.</p>
      </Dialog>
      {split && (
        <SplitDialog
          title="Two parts"
          onClose={() => setSplit(false)}
          list={<p className="muted">280 px</p>}
          head={
            <>
              <h3>What is chosen</h3>
              <span className="grow" />
            </>
          }
        >
          <p>550 px high.</p>
        </SplitDialog>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={
          <>
            Delete table <span className="mono">orders</span>
          </>
        }
        verb="Delete table"
        typeName="orders"
        error={undefined}
        pending={false}
        onConfirm={() => setAsking(false)}
      >
        <p>This deletes the table and everything that depends on it. It cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
