import { create } from 'zustand'

type Open = 'commands' | 'shortcuts' | undefined

/** Which of the frame's own dialogs is open. */
export const useOpenDialog = create<{ open: Open }>()(() => ({ open: undefined }))

export const openCommandMenu = () => useOpenDialog.setState({ open: 'commands' })
export const openShortcuts = () => useOpenDialog.setState({ open: 'shortcuts' })
export const closeDialogs = () => useOpenDialog.setState({ open: undefined })
