export const DELETE_FAILED = 'Gagal menghapus video.'
export const DELETE_CONSEQUENCE = 'Video yang dihapus tidak bisa dikembalikan.'
export const deleteQuestion = (filename: string): string => `Yakin mau hapus video "${filename}"?`
