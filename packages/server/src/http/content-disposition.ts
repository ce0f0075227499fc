/** RFC 6266: an ASCII form for old clients and the true name in UTF-8. */
export function contentDisposition(how: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const utf8 = encodeURIComponent(filename).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `${how}; filename="${ascii}"; filename*=UTF-8''${utf8}`
}
