"""Files on servers that speak FTP, FTPS or SFTP."""
