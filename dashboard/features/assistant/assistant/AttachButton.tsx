import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { AttachList } from './AttachList.tsx'

/** Puts tables and saved queries beside the next question. */
export function AttachButton({ disabledReason }: { disabledReason: string | undefined }) {
  const [open, setOpen] = useState(false)
  const button = (
    <IconButton
      icon={Paperclip}
      label="Attach tables and queries"
      disabledReason={disabledReason}
    />
  )
  if (disabledReason) return button
  return (
    <Popover label="Attach" open={open} onOpenChange={setOpen} trigger={button}>
      <div className="swt">
        <AttachList onDone={() => setOpen(false)} />
      </div>
    </Popover>
  )
}
