/** A sheet with its number, folded at the corner. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5c4b"/><path d="M9 6h9.5L24 11.5V26H9z" fill="#fbf8f2"/><path d="M18.5 6v5.5H24z" fill="#b9d8cc"/><path d="M12 16h9M12 20h9M14.6 14l-.8 8M19 14l-.8 8" stroke="#1d5c4b" stroke-width="1.5" stroke-linecap="round" fill="none"/></svg>
`;
